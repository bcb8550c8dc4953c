const byId = (id) => document.getElementById(id);
const waiting = new Map();
let port;
let calls = 0;

/** Calls a method of the plugin over the console. */
function call(method, params = {}) {
  calls += 1;
  const id = calls;
  port.postMessage({ id, call: method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function receive({ id, result, error, event, payload, theme }) {
  if (theme !== undefined) document.documentElement.dataset.theme = theme;
  if (event === "plugin.counter.changed") byId("count").value = payload.count;
  const open = waiting.get(id);
  waiting.delete(id);
  if (error !== undefined) open?.reject(new Error(`${error.code}: ${error.message}`));
  else open?.resolve(result);
}

async function add(amount) {
  try {
    const { count } = await call("counter.add", { amount });
    byId("count").value = count;
  } catch (error) {
    byId("problem").textContent = error.message;
  }
}

addEventListener("message", async ({ data, source, ports }) => {
  if (source !== parent || data?.openclaw !== "panel" || data.version !== 1) return;
  port = ports[0];
  port.onmessage = (message) => receive(message.data);
  document.documentElement.dataset.theme = data.theme;
  byId("add").addEventListener("click", () => add(1));
  await add(0);
  byId("add").disabled = false;
});
