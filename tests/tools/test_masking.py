"""Secrets are masked however they are spelt; what only looks like one stays."""

import re
import string
from random import Random

import pytest

from evals.leaking.kinds import KINDS
from evals.leaking.spellings import leaks
from evals.leaks import anonymized
from schedmate.tools.masking import MASK, mask_code, mask_text
from tests.tools.healthy_lines import HEALTHY

SECRET = "Zq3vXw8TbN1kLm5R"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rewrite", [mask_text, anonymized])
def test_no_secret_gets_through(rewrite, seed):
    drawn = list(leaks(seed, each=10))
    assert len(KINDS) >= 40
    assert len(drawn) >= 200
    assert [what for what, text, secret in drawn if secret not in text] == []
    assert [f"{what}: {text}" for what, text, secret in drawn if secret in rewrite(text)] == []


@pytest.mark.parametrize(
    "line",
    [
        "AWS_SECRET_ACCESS_KEY={}", "AZURE_STORAGE_KEY={}", "DB_PASS={}", "MYSQL_PWD={}", "run --password {}",
        "run --api-key {}", "passphrase: {}", "https://hooks.slack.com/services/T0/B0/{}", "export PGPASSWORD={}; psql",
        "password: str = '{}'", "REDISCLI_AUTH={} redis-cli", "{{'password': '{}'}}", "-e DB_PASSWORD={} img",
        "http://10.0.0.1/?api_key={}&x=1", "ssh_pass={}", "token = '{}'", "root password is {}",
        "kinit: Password for ada@ACME.ORG: {}", "smtp.login('ada', '{}')", "auth=('ada', '{}')", "pw={}",
        "encryption_key: !!binary {}", "setenv LDAP_BIND_PW {}", "set -gx DB_PASS {}", "ldapsearch -D cn=a -w {}",
        "echo {} | sudo -S true", "echo '{}' | docker login -u ci --password-stdin", "7z a -p{} o.7z", "zip -P {} o d",
        "smbclient //s/x -U ada%{}", "user ada, password {}", "auth: ada:{}", "htpasswd -b f ada {}",
        "<name>fs.s3a.secret.key</name><value>{}</value>", "keytool -storepass {} -list", "ipmitool -U a -P {} sol",
        "openssl enc -aes-256-cbc -k {} -in a", "spark.hadoop.fs.s3a.access.key {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", ["hunter2plus4", "Zq3vXw8TbN1kLm5R"])
def test_what_has_leaked_before(line, value):
    assert value not in mask_text(line.format(value))


@pytest.mark.parametrize(
    "line",
    [
        "invalid token in line 3",
        "password (optional)",
        "authentication token expired",
        "cache key mismatch",
        "password is required",
        "the password is incorrect.",
        "token is missing",
        "key is None",
        "the key is iterable",
    ],
)
def test_prose_about_passwords_stays(line):
    assert mask_text(line) == line


@pytest.mark.parametrize("line", ["AWS_SECRET_ACCESS_KEY {}", "your API key ({}) is invalid", "invalid token {}"])
def test_a_drawn_value_behind_its_name_is_masked_without_any_sign_between(line):
    assert SECRET not in mask_text(line.format(SECRET))


def test_a_value_is_masked_where_it_stands_again_without_its_name():
    assert SECRET not in mask_text(f"    token = '{SECRET}'\n    └ '{SECRET}'\nGET /x?v={SECRET} failed\n")


def test_a_key_that_is_cut_hides_no_later_secret():
    text = f"-----BEGIN PRIVATE KEY-----\nMIIE{SECRET * 3}\n12:03 (trainer) step 3\n12:04 (login) password={SECRET}\n"
    masked = mask_text(text)
    assert SECRET not in masked
    assert "(trainer) step 3" in masked
    line = f'"key": "-----BEGIN PRIVATE KEY-----\\nMIIE{SECRET}\nstep 3\n'
    assert mask_text(line).splitlines()[1] == "step 3"


def test_healthy_lines_stay():
    assert [line for line in HEALTHY if mask_text(line) != line] == []


def test_a_key_block_goes_whole_and_the_log_goes_on():
    body = "MIIEpAIBAAKCAQEA7bq2\n" * 3
    begin, end = (f"-----{word} RSA PRIVATE KEY-----\n" for word in ("BEGIN", "END"))
    text = f"a\n{begin}Proc-Type: 4,ENCRYPTED\n\n{body}{end}step 1 loss 2\n"
    masked = mask_text(text)
    assert masked.count("\n") == text.count("\n")
    assert "MII" not in masked
    assert masked.endswith("\nstep 1 loss 2\n")


def test_a_key_block_without_an_end_hides_no_more_than_a_key():
    text = "-----BEGIN PRIVATE KEY-----\n" + "step 1 of 9: loss 2.0\n" * 500
    assert mask_text(text).count("loss 2.0") >= 299


def test_many_drawn_values_are_known_again_and_nothing_is_printed(capfd):
    draw = Random(1)
    letters = string.ascii_letters + string.digits
    values = ["".join(draw.choices(letters, k=500)) for _ in range(300)]
    values.append(values[0] + "Tail7x")
    text = "".join(f"API_KEY={value}\n" for value in values)
    assert mask_text(text + "".join(f"sent {value} on\n" for value in values)).endswith("sent <secret> on\n" * 301)
    assert capfd.readouterr() == ("", "")


def test_masking_twice_changes_nothing_more():
    for seed in range(2):
        for _, text, _ in leaks(seed):
            once = mask_text(text)
            assert mask_text(once) == once


def test_code_stays_code():
    for line in ("password = ask_user()", "token = tokens[i]", "api_key = os.environ['KEY']", "key = 'hidden_states'"):
        assert mask_code(line) == line
    assert mask_code("api_key = 'Zq3vXw8TbN1kLm5R'\n") == f"api_key = '{MASK}'\n"
    assert mask_code("api_key: Zq3vXw8TbN1kLm5R\n") == f"api_key: {MASK}\n"


@pytest.mark.parametrize(
    "text", ["password" * 20_000, "=" * 100_000, "://" * 40_000, "a_key = " * 20_000, "'pass', " * 20_000]
)
def test_hostile_lines_take_no_longer_than_their_length(text):
    assert len(mask_text(text)) <= 2 * len(text)


def test_hosts_with_and_without_their_domain_are_one():
    text = anonymized(
        "srun: error: dgx17: task 0 failed\nhost dgx17.corp.internal is down, registry.corp.com:5000 is up\n"
    )
    assert not re.search("dgx17|corp|registry", text)
    assert len(set(re.findall(r"host-\d+", text))) == 2


def test_modules_and_files_are_no_hosts():
    text = "INFO:torch.distributed.run:766 a.b.c.py:88 threading.local os.path.dirname x.to(device) github.com/a/b\n"
    assert anonymized(text) == text
