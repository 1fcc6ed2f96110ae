"""The paper's tables and figures beside ours: one file for each case study, and the page that they stand on."""
