-- Which history this is: an index of workloads made for another one, moved away or deleted, is not mistaken for its own.
CREATE TABLE identity (store TEXT NOT NULL);
INSERT INTO identity VALUES (lower(hex(randomblob(8))))
