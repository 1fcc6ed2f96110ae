// Keeps a page up to date: when the server says that something has changed, what is marked data-live is put in anew.
(function () {
  "use strict";
  var sign = document.getElementById("live");
  var busy = false, wanted = false, timer = null;

  function say(word, good) {
    sign.hidden = false;
    sign.textContent = word;
    sign.classList.toggle("off", !good);
  }

  function keyOf(element) {
    if (!element || element === document.body) return null;
    if (element.id) return "#" + CSS.escape(element.id);
    if (element.getAttribute("href")) return 'a[href="' + CSS.escape(element.getAttribute("href")) + '"]';
    return null;
  }

  function isWritten(part) {
    var element = document.activeElement;
    return part.contains(element) && /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && element.value !== "";
  }

  function put(next) {
    document.querySelectorAll("[data-live]").forEach(function (part) {
      var fresh = next.getElementById(part.id);
      if (fresh) part.toggleAttribute("data-eager", fresh.hasAttribute("data-eager"));
      if (!fresh || fresh.innerHTML === part.innerHTML || isWritten(part)) return;
      var key = part.contains(document.activeElement) ? keyOf(document.activeElement) : null;
      var open = Array.from(part.querySelectorAll("details[open][id]"), function (one) { return one.id; });
      var aside = Array.from(part.querySelectorAll(".scroll"), function (one) { return one.scrollLeft; });
      part.replaceChildren.apply(part, Array.from(fresh.childNodes));
      open.forEach(function (id) { var one = document.getElementById(id); if (one) one.open = true; });
      part.querySelectorAll(".scroll").forEach(function (one, place) { one.scrollLeft = aside[place] || 0; });
      if (key) { var again = part.querySelector(key); if (again) again.focus({ preventScroll: true }); }
    });
  }

  function refresh() {
    if (document.hidden || busy) { wanted = true; return; }
    busy = true; wanted = false;
    fetch(location.href, { headers: { Accept: "text/html" } })
      .then(function (answer) { if (!answer.ok) throw new Error(answer.status); return answer.text(); })
      .then(function (text) { put(new DOMParser().parseFromString(text, "text/html")); say("live", true); })
      .catch(function () { say("not reached", false); })
      .finally(function () { busy = false; if (wanted) later(1000); });
  }

  function later(after) {
    if (!timer) timer = setTimeout(function () { timer = null; refresh(); }, after);
  }

  document.addEventListener("visibilitychange", function () { if (wanted && !document.hidden) later(0); });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    var search = document.querySelector("[data-search]");
    if (search) { event.preventDefault(); search.focus(); search.select(); }
  });

  if (!sign || !document.querySelector("[data-live]")) return;
  var source = new EventSource("/events");
  source.onopen = function () { say("live", true); };
  source.onerror = function () { say("not reached", false); };
  source.addEventListener("changed", function () { later(200); });
  setInterval(function () { later(0); }, 15000);
  setInterval(function () { if (document.querySelector("[data-eager]")) later(0); }, 1500);
})();
