globalThis.imported.push(new URL(".", import.meta.url).pathname.split("/").at(-2));

export function register(api) {
  api.on("session_start", () => {});
}
