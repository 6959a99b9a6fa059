// Comments on lines of a diff, collected into one request. They outlive a reload of the page they were written on.
const form = document.getElementById("changes-form");
const list = document.getElementById("comments");
const key = `leeboard-comments ${document.body.dataset.intent} ${document.body.dataset.mark}`;
const comments = form ? load() : [];

function load() {
  try {
    return JSON.parse(localStorage.getItem(key)) || [];
  } catch {
    return [];
  }
}

function keep() {
  if (comments.length) localStorage.setItem(key, JSON.stringify(comments));
  else localStorage.removeItem(key);
}

function field(name, value) {
  const made = document.createElement("input");
  made.type = "hidden";
  made.name = `comment_${name}`;
  made.value = value;
  return made;
}

function show() {
  list.replaceChildren(...comments.map((comment, at) => {
    const item = document.createElement("li");
    const where = document.createElement("div");
    where.className = "where";
    const place = document.createElement("span");
    place.className = "mono";
    place.textContent = `${comment.path}:${comment.line}`;
    const gone = document.createElement("button");
    gone.type = "button";
    gone.className = "plain";
    gone.textContent = "remove";
    gone.setAttribute("aria-label", `Remove the comment on ${comment.path} line ${comment.line}`);
    gone.addEventListener("click", () => { comments.splice(at, 1); keep(); show(); });
    where.append(place, gone);
    const quote = document.createElement("q");
    quote.textContent = comment.quote;
    const text = document.createElement("div");
    text.textContent = comment.text;
    item.append(where, quote, text, ...["path", "line", "side", "quote", "text"].map((name) => field(name, comment[name])));
    return item;
  }));
  document.querySelectorAll("tr[data-line]").forEach((row) => row.classList.toggle("commented", comments.some((each) =>
    each.path === pathOf(row) && each.line === row.dataset.line && each.side === row.dataset.side)));
}

function pathOf(row) {
  return row.closest("table").dataset.path;
}

function ask(row) {
  if (row.nextElementSibling?.classList.contains("comment-row")) {
    row.nextElementSibling.querySelector("textarea").focus();
    return;
  }
  const made = document.createElement("tr");
  made.className = "comment-row";
  const cell = document.createElement("td");
  cell.colSpan = 3;
  const words = document.createElement("textarea");
  words.rows = 2;
  words.setAttribute("aria-label", `Comment on ${pathOf(row)} line ${row.dataset.line}`);
  const acts = document.createElement("div");
  acts.className = "acts";
  const add = document.createElement("button");
  add.type = "button";
  add.textContent = "Add to the request";
  const drop = document.createElement("button");
  drop.type = "button";
  drop.className = "plain";
  drop.textContent = "discard";
  add.addEventListener("click", () => {
    const text = words.value.trim();
    if (!text) return;
    const quote = row.querySelector(".src").textContent.slice(0, 200);
    comments.push({ path: pathOf(row), line: row.dataset.line, side: row.dataset.side, quote, text });
    keep();
    made.remove();
    show();
  });
  drop.addEventListener("click", () => { made.remove(); row.querySelector("button").focus(); });
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add.click();
    if (event.key === "Escape") drop.click();
  });
  acts.append(add, drop);
  cell.append(words, acts);
  made.append(cell);
  row.after(made);
  words.focus();
}

if (form) {
  document.querySelectorAll(".diff").forEach((table) => table.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-line]");
    if (row && !String(getSelection())) ask(row);
  }));
  if (document.querySelector("[data-decided=changes_requested]")) {
    comments.length = 0; // they lie on the disk: they are not to come back with the next request
    keep();
  }
  show();
} else {
  document.querySelectorAll(".add-comment").forEach((button) => button.remove());
}
