// The camera of a browser, and pictures of what it sees.
export const MOST = { width: 1280, height: 720 };
const QUALITY = 0.8;
const canvas = document.createElement("canvas");

export const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia);

// Rejects where nobody allows the camera.
export async function show(see) {
  const video = { facingMode: "environment", width: { ideal: MOST.width }, height: { ideal: MOST.height } };
  see.srcObject = await navigator.mediaDevices.getUserMedia({ audio: false, video });
  await see.play();
  see.hidden = false;
}

export function picture(see) {
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
