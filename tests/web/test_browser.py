"""The story of `up` in a real browser: watch it live, approve the isolation, see the restart, find the user's bug.

`make test-web` runs it; with WEB_PICTURES=FOLDER it leaves the pictures of the documents there.
"""

import json
import os
from pathlib import Path
from urllib.parse import quote

import pytest

from schedmate.history.jobs import Which, count_jobs
from tests.scheduling.live.test_story import BUG_LINE, TRAIN
from tests.web.browser import Browser, chromium
from tests.web.web_process import TOKENS

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif("not __import__('os').environ.get('WEB_TEST')", reason="make test-web"),
    pytest.mark.skipif(chromium() is None, reason="no chromium that shows a page: apt-get install chromium"),
]
PICTURES = os.environ.get("WEB_PICTURES", "")
AXE = os.environ.get("WEB_AXE", "")
SIZES = ((1280, 900), (390, 844))
KEPT = {
    ("now-asks", 1280, "light"): 900, ("now", 390, "dark"): 1500, ("running", 1280, "light"): 600,
    ("failures", 1280, "dark"): 800,
}  # fmt: skip
"""Pictures for the documents, and how much of each page; none shows where this machine keeps its files."""
SLOW = TRAIN.replace("9 / (step + 1)", "0.4 + 2.6 / (1 + step / 40) ** 0.7")


@pytest.fixture
def browser(tmp_path):
    folder = tmp_path / "browser"
    folder.mkdir()
    made = Browser(folder)
    yield made
    made.close()


@pytest.fixture
def night(make_up, make_web, rules):
    """A loop that asks before it acts, some jobs that run, one that a broken node kills and one with a bug."""
    up = make_up("--slots", "gpu=4", "--nodes", "4", "--spares", "1", "--mode", "suggest", "--rules", str(rules))
    (up.work / "train.py").write_text(SLOW)
    pretrain = up.submit("train.py", "12", "0.05", "breaks", user="ada", name="pretrain", slots=12)
    up.until(lambda: up.store.actions(("proposed",)))
    web = make_web(up.data_dir, "--allow-actions")
    return up, web, pretrain


def body(browser):
    return browser.run("document.body.innerText")


def test_the_story_in_a_browser(night, browser):
    up, web, pretrain = night
    browser.size(*SIZES[0])
    browser.open(f"{web.address}/?token={TOKENS['operator']}")
    browser.until("document.getElementById('live').textContent === 'live'")
    assert "Needs a person" in body(browser)
    picture(browser, web, "/", "now-asks")
    approved = set()
    while up.store.job(pretrain).state != "completed":
        proposed = [row for row in up.store.actions(("proposed",)) if row.id not in approved]
        if proposed:
            number = proposed[0].id
            browser.click(f"#approve-{number}")
            up.until(lambda number=number: any(e.event == "approved" for e in up.store.trail(number)))
            approved.add(number)
        else:
            up.until(lambda: up.store.actions(("proposed",)) or up.store.job(pretrain).state == "completed")
    kinds = {row.kind: row for row in up.store.actions(job=pretrain) if row.id in approved}
    assert {"nccl_test", "isolate", "restart"} <= kinds.keys()
    assert kinds["isolate"].nodes == ("node2",)
    actors = {entry.actor for number in approved for entry in up.store.trail(number) if entry.event == "approved"}
    assert len(actors) == 1
    assert actors.pop().endswith(" via web (operator, from 127.0.0.1)")
    browser.until("document.querySelector('.node.isolated') && document.body.innerText.includes('node2')")

    up.until_state("completed", jobs=[up.submit("train.py", "3", "0.02", user="cid", name="warm-up")])
    bug = up.submit("train.py", "3", "0.02", "bug", user="cid", name="vit-b16")
    for user, name, steps in (("ada", "llama-sft", "4000"), ("bea", "resnet50", "900"), ("dan", "sweep-1", "300")):
        up.submit("train.py", steps, "0.05", user=user, name=name, slots=2)
    for place in range(3):
        up.submit("train.py", "4000", "0.05", user="dan", name=f"sweep-{place + 2}", slots=4)
    browser.until(f"document.querySelector('#failures a[href=\"/jobs/{bug}\"]')")
    browser.click(f"#failures a[href='/jobs/{bug}']")
    browser.until("document.querySelector('.yours')")
    words = browser.run("document.querySelector('.yours').innerText")
    assert f"train.py:{BUG_LINE}" in words
    assert 'config["lr"]' in words
    assert "KeyError: 'lr'" in browser.run("document.querySelector('.log tr.marked').innerText")
    browser.click("a[href*='/log?run=1&line=']")
    browser.until("document.querySelector('tr.marked') && location.hash.startsWith('#L')")

    browser.open(f"{web.address}/jobs/{pretrain}")
    assert "run 2" in browser.run("document.getElementById('runs').textContent")
    running = next(row.id for row in up.store.jobs(("running",)) if row.name == "llama-sft")
    browser.open(f"{web.address}/jobs/{running}")
    browser.until("document.querySelector('#head progress')")  # it may have told of no step yet
    before = browser.run("document.querySelector('#head progress').value")
    browser.until(f"document.querySelector('#head progress').value > {before}")
    up.until(lambda: count_jobs(up.store.connection, Which()) > 1)
    for path, name in (("/", "now"), ("/nodes", "nodes"), (f"/jobs/{bug}", "job"),
                       (f"/jobs/{running}", "running"), ("/jobs", "jobs"),
                       ("/failures", "failures"), ("/actions", "actions"), (f"/jobs/{bug}/log?line=8", "log"),
                       ("/history", "history"), (compared(browser, web), "compare"), ("/what-if", "what-if"),
                       ("/diagnose", "diagnose"), ("/sign-in", ""), ("/nothing", "")):  # fmt: skip
        picture(browser, web, path, name)
    wrong = [words for words in browser.complaints if "/nothing" not in words]
    assert not wrong, wrong


def compared(browser, web):
    """Give the page that holds two jobs of the history beside each other."""
    browser.open(f"{web.address}/history")
    names = browser.run("[...document.querySelectorAll('input[name=job]')].slice(0, 2).map((one) => one.value)")
    assert len(names) == 2
    return "/history/compare?" + "&".join(f"job={quote(name)}" for name in names)


def picture(browser, web, path, name):
    """Look at a page in both sizes, light and dark: nothing runs over the side, and nothing is found by axe."""
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            browser.size(width, height, scheme)
            browser.open(web.address + path)
            assert browser.run("document.documentElement.scrollWidth") <= width, f"{path} at {width}"
            if AXE:
                check(browser, f"{path} at {width}, {scheme}")
            if PICTURES and (most := KEPT.get((name, width, scheme))):
                browser.picture(Path(PICTURES) / f"web-{name}-{width}.png", most)
    browser.size(*SIZES[0])
    browser.open(web.address + path)


def check(browser, where):
    """Have axe look at a page; what it calls serious or critical is a fault."""
    browser.run(Path(AXE).read_text("utf-8") + "\n;0")
    told = browser.run("axe.run({resultTypes: ['violations']}).then(r => JSON.stringify(r.violations))")
    bad = [
        (one["id"], one["help"], [node["html"][:200] + node["failureSummary"][:300] for node in one["nodes"][:3]])
        for one in json.loads(told)
        if one["impact"] in ("serious", "critical")
    ]
    assert not bad, (where, bad)


def test_all_can_be_read_and_done_with_scripts_off(night, browser):
    up, web, _ = night
    browser.size(*SIZES[1])
    browser.open(f"{web.address}/?token={TOKENS['operator']}")
    browser.scripts(False)
    browser.call("Page.reload")
    number = up.store.actions(("proposed",))[0].id
    browser.until(f"document.querySelector('#approve-{number}')")
    assert "Needs a person" in body(browser)
    browser.click(f"#approve-{number}")
    up.until(lambda: any(entry.event == "approved" for entry in up.store.trail(number)))
    browser.until("document.readyState === 'complete'")
    assert not browser.complaints


PATCHED = """
(async () => {
  const { patch } = await import("/static/patch.js");
  let dice = SEED;
  const throwDice = (sides) => { dice = (dice * 48271) % 2147483647; return dice % sides; };
  function tree(depth) {
    const made = document.createElement("div");
    const keys = [1, 2, 3, 4, 5, 6].sort(() => throwDice(3) - 1).slice(0, throwDice(6));
    for (const key of keys) {
      const child = depth && throwDice(2) ? tree(depth - 1) : document.createElement(throwDice(2) ? "p" : "b");
      if (throwDice(2)) child.dataset.key = key;
      if (throwDice(2)) child.setAttribute(throwDice(2) ? "title" : "class", "a" + throwDice(4));
      if (!child.firstChild) child.textContent = "word " + throwDice(9);
      made.append(child, throwDice(2) ? "some text" : "");
    }
    return made;
  }
  for (let turn = 0; turn < 400; turn++) {
    const old = tree(3), fresh = tree(3), wanted = fresh.outerHTML, before = old.outerHTML;
    patch(old, fresh);
    if (old.outerHTML !== wanted) return before + " became " + old.outerHTML + " instead of " + wanted;
  }
  return "";
})()
"""
KEPT_WHOLE = """
(async () => {
  const { patch } = await import("/static/patch.js");
  const make = (words) => { const part = document.createElement("div"); part.innerHTML = words; return part; };
  const part = make('<p data-key="1">one</p><p data-key="2"><input id="why"> <button id="go">go</button></p>');
  document.body.append(part);
  const button = part.querySelector("#go"), input = part.querySelector("#why");
  input.value = "written"; button.focus();
  const row = '<p data-key="2"><input id="why" class="new"> <button id="go">go</button></p>';
  patch(part, make('<p data-key="0">new</p>' + row));
  const told = [part.querySelector("#go") === button, document.activeElement === button, input.value, input.className];
  part.remove();
  return JSON.stringify(told);
})()
"""


def test_a_page_is_made_like_a_newer_one_by_changing_what_differs(make_web, browser):
    web = make_web(None)
    browser.open(f"{web.address}/?token={TOKENS['viewer']}")
    for seed in range(1, 6):
        assert browser.run(PATCHED.replace("SEED", f"{seed}")) == ""
    assert json.loads(browser.run(KEPT_WHOLE)) == [True, True, "written", "new"]


def test_nothing_moves_under_a_button_that_is_held_down(night, browser):
    """Jobs come and the page would grow: the button stays where it is, the press counts, and then the page goes on."""
    up, web, _ = night
    browser.size(*SIZES[0])
    browser.open(f"{web.address}/?token={TOKENS['operator']}")
    browser.until("document.getElementById('live').textContent === 'live'")
    number = up.store.actions(("proposed",))[0].id
    browser.run("window.stayed = true")
    browser.point_at(f"#approve-{number}")
    browser.mouse("mousePressed")
    came = up.submit("train.py", "4000", "0.05", user="bea", name="comes-meanwhile", slots=12)
    reader = web.visitor()
    up.until(lambda: "comes-meanwhile" in reader.get("/").text)
    browser.mouse("mouseReleased")
    up.until(lambda: any(entry.event == "approved" for entry in up.store.trail(number)))
    browser.until(f"document.querySelector('main a[href=\"/jobs/{came}\"]')")
    browser.until("document.getElementById('said').textContent !== ''")
    assert browser.run("window.stayed"), "the page was not left"
    assert not browser.complaints


def test_a_keyboard_is_enough(night, browser):
    """Tab by tab to the button that approves, and Enter."""
    up, web, _ = night
    browser.size(*SIZES[0])
    browser.open(f"{web.address}/?token={TOKENS['operator']}")
    number = up.store.actions(("proposed",))[0].id
    for _ in range(60):
        key(browser, "Tab", 9)
        if browser.run("document.activeElement.id") == f"approve-{number}":
            break
    else:
        raise AssertionError("the button is never reached")
    outline = browser.run("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "one sees where one is"
    key(browser, "Enter", 13)
    up.until(lambda: any(entry.event == "approved" for entry in up.store.trail(number)))
    browser.open(f"{web.address}/jobs")
    key(browser, "/", 191, "/")
    assert browser.run("document.activeElement.name") == "text"


def key(browser, name, code, text=None):
    words = {"key": name, "windowsVirtualKeyCode": code, "code": name if len(name) > 1 else "Slash"}
    if name == "Enter":
        text = "\r"
    browser.call("Input.dispatchKeyEvent", type="keyDown", **words, **({"text": text} if text else {}))
    browser.call("Input.dispatchKeyEvent", type="keyUp", **words)
