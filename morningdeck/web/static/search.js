// Asks while somebody types. Without this file the form asks when it is sent, as ever.
"use strict";

(() => {
  const PAUSE = 250; // milliseconds of no typing
  const form = document.querySelector("form[role=search]");
  const field = form.elements.q, found = document.getElementById("found"), count = document.getElementById("count");
  let timer = 0, asking = null, held = null, shown = address();

  function address() {
    const asked = new URLSearchParams(new FormData(form));
    return field.value.trim() ? `${form.action}?${asked}` : form.action;
  }

  async function ask() {
    clearTimeout(timer);
    const wanted = address();
    asking?.abort(); // whatever was asked before, its answer is not wanted any more
    held = null;
    if (wanted === shown) return settle();
    const mine = asking = new AbortController();
    found.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(wanted, { signal: mine.signal, headers: { Accept: "text/html" } });
      if (answer.redirected) { location.href = wanted; return; }
      if (!answer.ok) throw new Error(answer.status);
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== asking) return;
      held = { wanted, made };
      show();
    } catch (error) {
      if (mine !== asking) return;
      settle();
      count.textContent = "No answer came: press Search to ask again";
    }
  }

  function settle() { asking = null; found.removeAttribute("aria-busy"); }

  // Nothing is taken away under somebody who has it selected, or is at one of its links.
  function inUse() {
    const selected = getSelection();
    return found.contains(document.activeElement) || (!selected.isCollapsed && selected.containsNode(found, true));
  }

  function show() {
    if (!held || inUse()) return;
    const { wanted, made } = held;
    held = null;
    for (const [old, id] of [[found, "found"], [count, "count"]]) old.replaceChildren(...made.getElementById(id).childNodes);
    document.querySelector(".foot").replaceChildren(...made.querySelector(".foot").childNodes);
    document.title = made.title;
    history.replaceState(null, "", wanted);
    shown = wanted;
    settle();
  }

  const later = () => { clearTimeout(timer); timer = setTimeout(ask, PAUSE); };
  field.addEventListener("input", (event) => event.isComposing || later());
  field.addEventListener("compositionend", later);
  form.elements.sort.addEventListener("change", ask);
  document.addEventListener("selectionchange", show);
  document.addEventListener("focusin", show);
})();
