export default (api) => {
  api.on("before_message_write", async () => ({ block: true }));
};
