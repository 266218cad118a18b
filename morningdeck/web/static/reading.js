// Marks without loading the page anew. Without this file each button sends its form as ever.
"use strict";

document.addEventListener("submit", async (event) => {
  const form = event.target, button = event.submitter;
  if (!form.matches("form.marks") || !button) return;
  event.preventDefault();
  await mark(form, button.name, button.value) || sendPlainly(form, button);
});

async function mark(form, name, value) {
  const body = new URLSearchParams(new FormData(form));
  body.set(name, value);
  const asked = { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true };
  const answer = await fetch(form.action, asked).catch(() => null);
  if (!answer?.ok) return false;
  const item = await answer.json();
  const row = form.closest("[data-row]") ?? document;
  row.querySelectorAll("form.marks button").forEach((button) => show(button, item));
  form.closest(".story")?.classList.toggle("read", item.read);
  return true;
}

function show(button, item) {
  const thumb = item.scores.reduce((sum, score) => sum + score.feedback, 0);
  const on = button.dataset.on ?? "1";
  const holds = button.name === "feedback" ? thumb * on > 0 : item[button.name];
  button.setAttribute("aria-pressed", String(holds));
  button.value = holds ? "0" : on;
}

function sendPlainly(form, button) {
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value }));
  form.submit();
}

// Who opens an item reads it.
const opened = document.querySelector("form[data-opened]");
if (opened?.querySelector("[name=read][aria-pressed=false]")) mark(opened, "read", "1");

// ---- the endless list

const older = document.getElementById("older");
if (older) new IntersectionObserver((seen, watch) => seen.some((one) => one.isIntersecting) && append(watch), { rootMargin: "600px" }).observe(older);

async function append(watch) {
  watch.unobserve(older);
  const answer = await fetch(older.href).catch(() => null);
  if (!answer?.ok) return; // the link still leads on
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("feed").append(...page.querySelectorAll("#feed > li"));
  const next = page.getElementById("older");
  if (!next) return older.closest("p").replaceWith(page.querySelector("p.end") ?? "");
  older.href = next.getAttribute("href");
  watch.observe(older);
}

// ---- keys: never while something is written, never together with Ctrl, Alt or Meta

const help = document.getElementById("keys");
const showKeys = document.getElementById("show-keys");
if (help) {
  showKeys.hidden = false;
  showKeys.firstElementChild.addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || help.open) return;
    if (target.closest("input, textarea, select, [contenteditable]") || !(key in KEYS)) return;
    event.preventDefault();
    KEYS[key](target.closest("[data-row]"));
  });
}

const KEYS = {
  j: (row) => step(row, 1),
  k: (row) => step(row, -1),
  o: (row) => row?.querySelector("a").click(),
  s: (row) => row?.querySelector("[name=saved]").click(),
  m: (row) => row?.querySelector("[name=read]").click(),
  r: () => location.reload(),
  "/": () => document.querySelector("[name=q]")?.focus() ?? find(),
  g: () => { scrollTo(0, 0); document.getElementById("main").focus({ preventScroll: true }); },
  t: () => { location.href = help.dataset.today; },
  "?": () => help.showModal(),
};

function find() {
  if (!document.querySelector("[name=q]")) location.href = help.dataset.search;
}

function step(row, by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  const at = row ? rows.indexOf(row) + by : by > 0 ? 0 : -1;
  rows[at]?.querySelector("a").focus();
}
