export default {
  id: "other",
  name: "From the module",
  version: "9.9.9",
  description: "From the module.",
  kind: "module-kind",
  register() {},
};
