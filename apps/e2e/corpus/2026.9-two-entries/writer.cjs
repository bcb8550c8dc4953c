module.exports = {
  id: "pair",
  register(api) {
    api.on("message_sent", () => {});
  },
};
