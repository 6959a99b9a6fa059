// Files dropped onto the page go into the field that a click would fill.
const drop = document.getElementById("drop");
const field = document.getElementById("files");
const chosen = document.getElementById("chosen");

function show() {
  chosen.replaceChildren(...[...field.files].map((file) => {
    const item = document.createElement("li");
    item.textContent = `${file.name} (${Math.ceil(file.size / 1024)} kB)`;
    return item;
  }));
}

for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
for (const name of ["dragleave", "drop"]) {
  drop.addEventListener(name, () => drop.classList.remove("over"));
}
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  field.files = event.dataTransfer.files;
  show();
});
field.addEventListener("change", show);
