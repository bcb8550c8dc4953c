Object.defineProperty(exports, "__esModule", { value: true });
exports.default = {
  register(api) {
    api.on("session_end", () => {});
  },
};
