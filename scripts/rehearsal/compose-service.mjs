// A service of deployment/compose.yaml and its database, without a container engine.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Reads the compose file with the values of its variables.
 * @param root - root of the checkout
 * @param variables - contents of the file `.env`
 * @throws Error when a variable that it needs has no value
 */
export function readCompose(root, variables) {
  const { parse } = createRequire(join(root, "apps/e2e/package.json"))("yaml");
  const text = readFileSync(join(root, "deployment/compose.yaml"), "utf8");
  return parse(text, (_key, value) =>
    typeof value === "string" ? withVariables(value, variables) : value,
  );
}

function withVariables(text, variables) {
  return text.replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_all, name, kind, rest) => {
    const value = variables[name] ?? "";
    if (value === "" && kind === "?") throw new Error(`${name} is not set: ${rest}`);
    return value === "" ? rest : value;
  });
}

/**
 * Starts a server with the user, password and database of the service `postgres`. The service `openclaw` reaches it
 * under the name of that service.
 * @param root - root of the checkout
 * @param compose - contents of the compose file
 * @returns its port, and a function that stops it and deletes its data
 */
export async function startDatabase(root, { services }) {
  const {
    POSTGRES_USER: user,
    POSTGRES_PASSWORD: password,
    POSTGRES_DB: database,
  } = services.postgres.environment;
  const module = join(root, "packages/store/test/support/postgres-server.ts");
  const { startPostgres } = await import(pathToFileURL(module).href);
  const { port, remove } = await startPostgres({
    ...{ user, password, database },
    ...{ authentication: "scram-sha-256", durable: true },
  });
  return { port, stop: remove };
}

/**
 * Puts what the service `openclaw` adds to its image into the root folder of the image: its configuration files, and
 * the name of the database's host.
 * @param root - root of the checkout
 * @param compose - contents of the compose file
 * @param image - root folder of the image
 * @param port - port of the database
 * @returns environment variables of the service
 */
export function addService(root, { services, configs }, image, port) {
  for (const { source, target } of services.openclaw.configs) {
    const file = join(image, target);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, readFileSync(join(root, "deployment", configs[source].file)));
  }
  const waitsFor = Object.keys(services.openclaw.depends_on).join(" ");
  writeFileSync(join(image, "etc/hosts"), `127.0.0.1 localhost ${waitsFor}\n`);
  // Only the port differs from that of the service, which may be in use on this machine.
  return { ...services.openclaw.environment, PGPORT: String(port) };
}
