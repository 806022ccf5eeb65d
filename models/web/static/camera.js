// The camera of a browser, and pictures of what it sees.
const MOST = { width: 1280, height: 720 };
const QUALITY = 0.8;
const PAUSE = 1000; // ms, after a picture that could not be sent
const canvas = document.createElement("canvas");

export const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia);

export const wait = (time = PAUSE) => new Promise((done) => setTimeout(done, time));

// False where nobody allows the camera, which the page then says.
export async function show(see) {
  const video = { facingMode: "environment", width: { ideal: MOST.width }, height: { ideal: MOST.height } };
  try {
    see.srcObject = await navigator.mediaDevices.getUserMedia({ audio: false, video });
    await see.play();
  } catch {
    document.getElementById("nocamera").hidden = false;
    return false;
  }
  see.hidden = false;
  addEventListener("pagehide", () => end(see), { once: true });
  return true;
}

export async function send(see, address) {
  return fetch(address, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: await picture(see) });
}

function picture(see) {
  const share = Math.min(1, MOST.width / see.videoWidth);
  canvas.width = Math.round(see.videoWidth * share);
  canvas.height = Math.round(see.videoHeight * share);
  canvas.getContext("2d").drawImage(see, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

export function end(see) {
  for (const track of see.srcObject?.getTracks() ?? []) track.stop();
  see.srcObject = null;
  see.hidden = true;
}

// A page that nobody looks at sends nothing.
export function seen() {
  return document.hidden ? new Promise((done) => document.addEventListener("visibilitychange", done, { once: true })) : null;
}
