// Makes a piece of the page like a newer one, by changing only what differs: what stays the same stays the same element,
// with its focus, its scroll position, the text that is marked in it and what somebody has written into it.

// By what an element is known again wherever it has moved to: its id, or the key that the template gave it.
function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key || "" : "";
}

function alike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

// What a person has opened stays open, and a button that was pressed stays so until its answer is there.
function isPersons(element, name) {
  return (name === "open" && element.nodeName === "DETAILS") || (name === "disabled" && element.dataset.pressed);
}

function patchAttributes(old, fresh) {
  for (const { name, value } of Array.from(fresh.attributes)) {
    if (old.getAttribute(name) !== value && !isPersons(old, name)) old.setAttribute(name, value);
  }
  for (const { name } of Array.from(old.attributes)) {
    if (!fresh.hasAttribute(name) && !isPersons(old, name) && name !== "data-pressed") old.removeAttribute(name);
  }
}

function patchChildren(old, fresh) {
  const kept = new Map(), wanted = new Set(Array.from(fresh.children, keyOf));
  for (const child of Array.from(old.children)) {
    const key = keyOf(child);
    if (key && !wanted.has(key)) child.remove();
    else if (key) kept.set(key, child);
  }
  let at = old.firstChild;
  for (const want of Array.from(fresh.childNodes)) {
    const key = keyOf(want);
    let match = key ? kept.get(key) : at && !keyOf(at) ? at : null;
    kept.delete(key);
    if (!match || !alike(match, want)) old.insertBefore(want, at);
    else {
      if (match === at) at = at.nextSibling;
      else old.insertBefore(match, at);
      patch(match, want);
    }
  }
  while (at) {
    const after = at.nextSibling;
    at.remove();
    at = after;
  }
}

export function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  patchAttributes(old, fresh);
  patchChildren(old, fresh);
}
