// Keeps a page up to date: when the server says that something has changed, what is marked data-live is made like new.
// Nothing moves while somebody presses a button, or is about to.
import { patch } from "./patch.js";

// For so long nothing moves: after the pointer was moved over a button that acts, while a button is held down, and until
// the click that a press makes has been heard.
const AIM_MS = 3000, PRESS_MS = 5000, CLICK_MS = 300;
const sign = document.getElementById("live"), said = document.getElementById("said");
let busy = false, wanted = false, timer = null;
let stillUntil = 0;

function say(word, good) {
  sign.hidden = false;
  if (sign.textContent !== word) sign.textContent = word;
  sign.classList.toggle("off", !good);
}

function keepStill(ms) {
  stillUntil = performance.now() + ms;
}

function isStill() {
  return performance.now() < stillUntil;
}

function put(next) {
  const focused = document.activeElement;
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = next.getElementById(part.id);
    if (fresh) patch(part, fresh);
  }
  document.title = next.title;
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

async function refresh() {
  if (document.hidden || busy || isStill()) { wanted = true; return; }
  busy = true; wanted = false;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.status === 401) { say("signed out", false); return; }
    if (!answer.ok) throw new Error(answer.status);
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (isStill()) wanted = true;
    else put(next);
    say("live", true);
  } catch {
    say("not reached", false);
  } finally {
    busy = false;
    if (wanted) later(isStill() ? 250 : 1000);
  }
}

function later(after) {
  if (!timer) timer = setTimeout(() => { timer = null; if (isStill()) later(250); else refresh(); }, after);
}

const isActing = (element) => Boolean(element.closest?.("form[data-acts]"));
document.addEventListener("pointerdown", () => keepStill(PRESS_MS), true);
document.addEventListener("pointerup", () => keepStill(CLICK_MS), true);
document.addEventListener("pointercancel", () => keepStill(0), true);
document.addEventListener("pointermove", (event) => {
  if (event.buttons === 0) keepStill(isActing(event.target) ? AIM_MS : 0);
}, true);

// What acts is sent without leaving the page, and what the loop answers is shown; with scripts off the form does it.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-acts]")) return;
  event.preventDefault();
  const button = event.submitter || form.querySelector("button");
  if (button.dataset.pressed) return;
  const body = new URLSearchParams(new FormData(form));
  button.dataset.pressed = "1"; button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const words = await answer.json().catch(() => ({ error: "refused" }));
    tell(words.answer ?? [words.error, words.hint].filter(Boolean).join("; "), answer.ok);
  } catch {
    tell("the server was not reached: nothing is known of this", false);
  } finally {
    delete button.dataset.pressed; button.disabled = false;
    keepStill(0);
    refresh();
  }
});

function tell(words, good) {
  said.textContent = words;
  said.classList.toggle("wrong", !good);
}

document.addEventListener("visibilitychange", () => { if (wanted && !document.hidden) later(0); });
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const search = document.querySelector("[data-search]");
  if (search) { event.preventDefault(); search.focus(); search.select(); }
});

if (sign && document.querySelector("[data-live]")) {
  const source = new EventSource("/events");
  source.onopen = () => say("live", true);
  source.onerror = () => say("not reached", false);
  source.addEventListener("changed", () => later(200));
  setInterval(() => later(0), 15000);
  setInterval(() => { if (document.querySelector("[data-eager]")) later(0); }, 1500);
}
