// Keeps the numbers of the engine room as they are, and the page when more than numbers changes.
// While its tab is in the background it only looks once a minute, for the title and the icon.
"use strict";
(() => {
  const MINUTE = 60000;
  const place = document.querySelector("[data-events]");
  if (!place || !window.EventSource) return;
  let stream = null, timer = 0, shape = place.dataset.shape;

  const say = (text) => { document.querySelector("#live").textContent = text; };
  const busy = () => {
    const main = document.querySelector("main");
    return main.contains(document.activeElement) || main.querySelector("details[open]");
  };

  async function renew() {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) { location.reload(); return; }
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.title = made.title;
    document.querySelector("link[rel=icon]").replaceWith(made.querySelector("link[rel=icon]"));
    document.querySelector(".foot time").replaceWith(made.querySelector(".foot time"));
    if (busy()) { say("More has changed: load the page anew to see it"); return; }
    document.querySelector("main").replaceWith(made.querySelector("main"));
    say("Live");
  }
  const later = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => renew().catch(() => say("No connection: tried again")).finally(watch), milliseconds);
  };

  function hear(event) {
    const told = JSON.parse(event.data);
    for (const [name, number] of Object.entries(told.numbers)) {
      for (const spot of document.querySelectorAll(`[data-live="${name}"]`)) {
        if (spot.textContent !== number) spot.textContent = number;
      }
    }
    if (told.shape === shape) { say("Live"); return; }
    shape = told.shape;
    later(Math.random() * 1500); // not all who look at the same moment
  }

  function close() { if (stream) stream.close(); stream = null; }
  function watch() {
    if (document.hidden) { close(); later(MINUTE); return; }
    if (stream) return;
    stream = new EventSource(place.dataset.events);
    stream.onmessage = hear;
    stream.addEventListener("away", () => say("The database is away: tried again"));
    stream.onerror = () => {
      say("No connection: tried again");
      if (stream && stream.readyState === EventSource.CLOSED) { close(); later(MINUTE); }
    };
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { watch(); } else { clearTimeout(timer); watch(); later(0); }
  });
  addEventListener("pagehide", close);
  watch();
})();
