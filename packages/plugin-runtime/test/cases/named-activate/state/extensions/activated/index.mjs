export function activate(api) {
  api.on("session_start", () => {});
}
