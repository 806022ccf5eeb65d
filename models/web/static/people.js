// People: what is typed filters what can be picked; a picked allergen gets its level at once.
const part = document.getElementById("avoids");
const field = document.getElementById("find");
const list = part.querySelector(".levels");
const picks = () => [...part.querySelectorAll(".pick label")];
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
let own = 0;

const filter = () => {
  const typed = fold(field.value);
  for (const pick of picks()) pick.hidden = !fold(pick.textContent).includes(typed);
  const others = part.querySelector("details");
  if (others) others.open = typed !== "" && !!others.querySelector("label:not([hidden])");
};
field.addEventListener("input", filter);

const choose = (pick) => {
  const input = pick.querySelector("input");
  if (!input.name.startsWith("a.")) return;
  const row = part.querySelector("template").content.firstElementChild.cloneNode(true);
  const [name, level] = row.children;
  level.id = input.name;
  level.name = input.name;
  name.htmlFor = input.name;
  name.textContent = pick.textContent;
  list.append(row);
  list.hidden = false;
  pick.remove();
  level.focus();
};
part.addEventListener("change", (event) => {
  if (event.target.matches(".pick input:checked")) choose(event.target.closest("label"));
});

// Enter takes the first that fits; another word becomes an own word.
field.addEventListener("keydown", (event) => {
  const typed = field.value.trim();
  if (event.key !== "Enter" || !typed) return;
  event.preventDefault();
  const first = picks().find((pick) => !pick.hidden && !pick.querySelector("input").checked);
  field.value = "";
  filter();
  if (first) {
    first.querySelector("input").checked = true;
    choose(first);
  } else if (!picks().some((pick) => fold(pick.textContent) === fold(typed))) {
    const pick = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "checkbox", className: "vh", value: typed });
    input.name = `w.x${own++}`;
    input.checked = true;
    pick.append(input, typed);
    part.querySelector(".pick").prepend(pick);
  }
});
