// Requests `/healthz` of a gateway at a fixed interval, in a thread of its own, so that the load of the benchmark does not
// delay the measurement. Posts the milliseconds of all requests when it receives a message.
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let isOver = false;
parentPort.once("message", () => {
  isOver = true;
});
while (!isOver) {
  const sentAt = performance.now();
  await new Promise((resolve, reject) => {
    get(`${workerData.url}/healthz`, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`healthz answered ${response.statusCode}`));
      response.resume().once("end", resolve);
    }).once("error", reject);
  });
  times.push(performance.now() - sentAt);
  await new Promise((resolve) => setTimeout(resolve, workerData.intervalMs));
}
agent.destroy();
parentPort.postMessage(times);
