'use strict';
// Beside forms that work without it: previews as the wish is typed, the browser's own zone.

const PAUSE = 600; // milliseconds of no typing
const AGAIN = 3000; // until a preview looks again that is still to be filled

const isFilling = (frame) =>
  frame.contentDocument?.body?.textContent.includes('comes in a moment') ?? false;
// whoever reads in it keeps what they read
const isUnread = (frame) => (frame.contentWindow?.scrollY ?? 1) === 0;

function previews(form) {
  const button = form.querySelector('[data-preview]');
  const frame = document.querySelector('iframe[name="edition"]');
  const wish = form.elements.criteria;
  if (!button || !frame || !wish) return;
  let waits = 0;
  let shown = wish.value.trim();
  const ask = () => {
    shown = wish.value.trim();
    if (shown) form.requestSubmit(button);
  };
  wish.addEventListener('input', () => {
    clearTimeout(waits);
    waits = setTimeout(() => wish.value.trim() !== shown && ask(), PAUSE);
  });
  frame.addEventListener('load', () => {
    clearTimeout(waits);
    if (isFilling(frame)) waits = setTimeout(() => isUnread(frame) && ask(), AGAIN);
  });
  if (shown && !frame.getAttribute('src')) ask();
}

// an edition that shows itself, without a form
function looksAgain(frame) {
  frame.addEventListener('load', () => {
    if (!isFilling(frame)) return;
    setTimeout(() => isUnread(frame) && frame.contentWindow.location.reload(), AGAIN);
  });
}

function ownZone(select) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === zone)) select.value = zone;
}

function onlyWhatCounts(form) {
  const often = form.elements.frequency;
  if (!often) return;
  const show = () => form.querySelectorAll('[data-for]').forEach((part) => {
    part.hidden = part.dataset.for !== often.value;
  });
  often.addEventListener('change', show);
  show();
}

// a page that is not told to its end: shown anew until it is
async function looksOn() {
  if (!document.querySelector('[data-looks-on]')) return;
  const answer = await fetch(location.href).catch(() => null);
  if (answer) {
    const made = new DOMParser().parseFromString(await answer.text(), 'text/html');
    document.title = made.title;
    document.querySelector('main').replaceChildren(...made.querySelector('main').childNodes);
  }
  setTimeout(looksOn, 1000);
}
setTimeout(looksOn, 1000);

for (const form of document.querySelectorAll('form.editor')) {
  previews(form);
  onlyWhatCounts(form);
}
for (const frame of document.querySelectorAll('iframe.looks-again')) looksAgain(frame);
const zone = document.querySelector('form.own-zone select[name="timezone"]');
if (zone) ownZone(zone);
