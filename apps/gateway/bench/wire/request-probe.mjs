// Sends requests to a gateway at a fixed interval, in a thread of its own, so that the load of the benchmark does not delay
// the measurement. Posts the milliseconds of all requests by their names when it receives a message.
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { url, token, intervalMs, requests } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = Object.fromEntries(requests.map(({ name }) => [name, []]));
let isOver = false;
parentPort.once("message", () => {
  isOver = true;
});
while (!isOver) {
  for (const each of requests) {
    const sentAt = performance.now();
    await send(each);
    times[each.name].push(performance.now() - sentAt);
  }
  await new Promise((resolve) => setTimeout(resolve, intervalMs));
}
agent.destroy();
parentPort.postMessage(times);

function send({ name, path, body }) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && {
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    }),
  };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    request(url + path, { agent, method, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${name}: ${response.statusCode}`));
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end(body && JSON.stringify(body));
  });
}
