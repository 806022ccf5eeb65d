// Renews a page or a part of it: what a person typed, chose or opened there stays, with the focus.
const FIELDS = "input:not([type=hidden], [type=submit]), textarea, select";

const formOf = ({ form }) => `${form?.getAttribute("action")} ${form?.id}`;
const isTick = ({ type }) => ["checkbox", "radio"].includes(type);

function isTouched(field, sent) {
  if (sent && field.form === sent.form && !isTick(field) && sent.body.get(field.name) === field.value) return false;
  if (field.type === "file") return field.files.length > 0;
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

// The nth field of its name in its form.
function find(field, old, next) {
  if (field.id) return next.querySelector(`#${CSS.escape(field.id)}`);
  const alike = (part) => [...part.querySelectorAll(FIELDS)].filter((other) => {
    return other.name === field.name && formOf(other) === formOf(field) && (!isTick(field) || other.value === field.value);
  });
  return alike(next)[alike(old).indexOf(field)];
}

function carry(field, same) {
  if (field.type === "file") same.files = field.files;
  else if (isTick(field)) same.checked = field.checked;
  else same.value = field.value;
  const [offered, form] = [field.form?.querySelector(".suggest"), same.closest("[data-suggest]")];
  if (offered && form) form.append(offered);
}

// Whether somebody typed or chose something in it that is not sent.
export function isChanged(part) { return [...part.querySelectorAll(FIELDS)].some((field) => isTouched(field)); }

// Puts `next` in place of `old`. `sent` is the form that was answered, with the body that it sent.
export function replace(old, next, sent) {
  const focused = old.contains(document.activeElement) && document.activeElement;
  const wasIn = focused && focused.matches(FIELDS) ? find(focused, old, next) : focused?.id && next.querySelector(`#${CSS.escape(focused.id)}`);
  const [from, to] = wasIn && focused.matches("input, textarea") ? [focused.selectionStart, focused.selectionEnd] : [];
  for (const field of old.querySelectorAll(FIELDS)) {
    const same = isTouched(field, sent) && find(field, old, next);
    if (same) carry(field, same);
  }
  const titles = [...old.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent);
  for (const title of next.querySelectorAll("details > summary")) if (titles.includes(title.textContent)) title.parentElement.open = true;
  old.replaceWith(document.adoptNode(next));
  if (!wasIn) return;
  wasIn.focus({ preventScroll: true });
  if (typeof from === "number") wasIn.setSelectionRange(from, to);
}
