export function register(api) {
  api.on("message_sent", () => {});
}
