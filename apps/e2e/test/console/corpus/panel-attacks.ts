/** Attacks from inside a panel; each returns what it got, or the name of the error. */
export const ATTACKS = {
  "document of the console": "parent.document.title",
  "token in its storage": 'parent.sessionStorage.getItem("openclaw.token")',
  "own storage": 'localStorage.setItem("a", "b")',
  "own session storage": "sessionStorage.length",
  databases:
    'await new Promise((done, fail) => { const open = indexedDB.open("a"); open.onsuccess = done; open.onerror = fail; })',
  cookies: 'document.cookie = "a=b"',
  "address of the console": "parent.location.href",
  "variables of the console": "parent.console",
  "call over HTTP": 'await fetch("/api/v1/sessions/list", { method: "POST" })',
  "call with cookies": 'await fetch("/plugins", { credentials: "include" })',
  "request to another server": 'await fetch("https://example.com/")',
  WebSocket:
    'await new Promise((done, fail) => { const socket = new WebSocket("ws://" + location.host + "/ws"); socket.onopen = done; socket.onerror = () => fail(new Error("closed")); })',
  beacon:
    'if (!navigator.sendBeacon("/api/v1/sessions/list", "{}")) throw new Error("refused"); await blocked',
  "event stream":
    'await new Promise((done, fail) => { const source = new EventSource("/api/v1/events"); source.onopen = done; source.onerror = () => fail(new Error("closed")); })',
  "picture of another server":
    'await new Promise((done, fail) => { const image = new Image(); image.onload = done; image.onerror = () => fail(new Error("blocked")); image.src = "https://example.com/a.png"; })',
  "script of another server":
    'await new Promise((done, fail) => { const script = document.createElement("script"); script.onload = done; script.onerror = () => fail(new Error("blocked")); script.src = "https://example.com/a.js"; document.head.append(script); })',
  "evaluated text": 'new Function("return 1")()',
  "inline script":
    'const script = document.createElement("script"); script.textContent = "globalThis.inline = 1"; document.head.append(script); if (globalThis.inline === undefined) throw new Error("blocked")',
  window: 'if (open("/") === null) throw new Error("blocked")',
  "navigation of the console": 'top.location = "https://example.com/"',
  worker:
    'await new Promise((done, fail) => { const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))); worker.onmessage = done; worker.onerror = () => fail(new Error("blocked")); })',
  "service worker": 'await navigator.serviceWorker.register("panel.js")',
  form: 'const form = document.createElement("form"); form.action = "/api/v1/sessions/list"; form.method = "post"; document.body.append(form); form.submit(); throw new Error("this page remains")',
  "frame of the console":
    'const frame = document.createElement("iframe"); frame.src = "/"; document.body.append(frame); await blocked',
  clipboard: "await navigator.clipboard.readText()",
  camera: "await navigator.mediaDevices.getUserMedia({ video: true })",
  "method of the host": 'await call("config.get")',
  "method of another plugin": 'await call("other.secret")',
  "method that it did not list": 'await call("guard.hidden")',
  "method of the prototype": 'await call("constructor")',
  "message that is not a call": 'await send({ id: "one", call: "guard.ping" })',
  "parameters that are a list": 'await call("guard.ping", [1])',
  "large parameters": 'await call("guard.ping", { text: "a".repeat(70000) })',
} as const;

/** Page of a panel that attacks, and shows the results as JSON. */
export const ATTACKING_PAGE = `<!doctype html><html lang="en"><title>Attack</title>
<script src="attack.js"></script><pre id="seen">waiting</pre><p id="events"></p><button id="leave">Leave</button></html>`;

/** Script of that page. */
export const ATTACKING_SCRIPT = `
const attacks = {${Object.entries(ATTACKS)
  .map(
    ([name, body]) =>
      `${JSON.stringify(name)}: async () => { ${/^(?:const|if) /.test(body) ? body : `return ${body}`} }`,
  )
  .join(",\n")}};
// Requests that fail without an error to catch are reported as violations.
let report;
const blocked = { then(done, fail) { report = () => fail(new Error("blocked")); } };
addEventListener("securitypolicyviolation", () => report?.());
const waiting = new Map();
let port;
let calls = 0;
function send(message) {
  port.postMessage(message);
  return new Promise((resolve, reject) => waiting.set(Number.isInteger(message.id) ? message.id : null, { resolve, reject }));
}
function call(method, params) {
  calls += 1;
  return send({ id: calls, call: method, params });
}
addEventListener("message", async ({ data, source, ports }) => {
  if (source !== parent || data?.openclaw !== "panel") return;
  port = ports[0];
  port.onmessage = ({ data: { id, result, error, event, payload } }) => {
    if (event !== undefined) document.getElementById("events").textContent += event + " " + JSON.stringify(payload) + ";";
    const open = waiting.get(id);
    waiting.delete(id);
    if (error) open?.reject(Object.assign(new Error(error.message), { name: error.code }));
    else open?.resolve(result);
  };
  const seen = { hello: { ...data, locale: undefined } };
  for (const [name, run] of Object.entries(attacks)) {
    report = undefined;
    try {
      seen[name] = "succeeded: " + String(await run());
    } catch (error) {
      seen[name] = error.name === "Error" ? error.message : error.name;
    }
  }
  // A message beside the port is not heard.
  parent.postMessage({ id: 1, call: "guard.hidden" }, "*");
  seen.ping = await call("guard.ping", { a: 1 });
  port.postMessage({ height: 200 });
  document.getElementById("leave").addEventListener("click", () => { location = "/plugins/other/page"; });
  document.getElementById("seen").textContent = JSON.stringify(seen);
});
`;
