import { readNumber } from "@openclaw/plugin-sdk/param-readers";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";

const MINUTE_MS = 60_000;

export default definePluginEntry({
  id: "{{id}}",
  register(api) {
    const everyMinutes = readNumber(api.pluginConfig, "everyMinutes", { minimum: 1 }) ?? 60;
    let messages = 0;

    api.on("message_received", () => {
      messages += 1;
    });

    api.registerService({
      id: "{{id}}",
      start({ logger, signal }) {
        const report = () => logger.info(`${messages} messages came in`);
        const timer = setInterval(report, everyMinutes * MINUTE_MS);
        // The signal aborts when the service is to stop.
        signal.addEventListener("abort", () => {
          clearInterval(timer);
          report();
        });
      },
    });
  },
});
