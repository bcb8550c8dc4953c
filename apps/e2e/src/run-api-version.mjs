// Runs a plugin of an API version in the built test kit and prints its state.
// usage: node run-api-version.mjs <folder of the plugin>
import { argv, stdout } from "node:process";
import { createTestHost } from "@openclaw/plugin-testkit";

const host = await createTestHost({ plugin: argv[2], pluginConfig: { greeting: "Good day" } });
const { toolNames, hookNames, serviceIds, commandNames } = host.plugin;
const said = [];
for (const name of ["Ada", " Ada ", "nobody"]) {
  said.push((await host.callTool("greet", { name })).text);
}
const problems = host.diagnostics
  .filter(({ level, pluginId }) => level === "error" && pluginId === "api-fixture")
  .map(({ code }) => code);
await host.dispose();
const logs = host.logs
  .filter(({ fields }) => fields?.pluginId === "api-fixture")
  .map(({ message }) => message);
stdout.write(
  JSON.stringify({ toolNames, hookNames, serviceIds, commandNames, said, problems, logs }),
);
