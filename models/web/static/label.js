// The photo of a label is sent as soon as it is taken.
addEventListener("change", (event) => {
  if (event.target.matches("form[data-label] input[type=file]") && event.target.files.length > 0) event.target.form.requestSubmit();
});
