// The daemon's event stream.
export const photo = document.body.dataset.photo;

export function events(handlers) {
  const source = new EventSource("/v1/events");
  for (const [kind, handle] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => {
      const message = JSON.parse(event.data);
      handle(message.data);
    });
  }
  addEventListener("pagehide", () => source.close());
  return source;
}
