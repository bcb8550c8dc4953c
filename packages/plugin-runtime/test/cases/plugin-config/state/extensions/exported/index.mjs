globalThis.imported.push("exported");

const validate = ({ word }) =>
  word.length === 2
    ? { value: { word } }
    : { issues: [{ message: "expected a word of two letters", path: ["word"] }] };

export default {
  configSchema: { "~standard": { version: 1, vendor: "example", validate } },
  register() {
    throw new Error("registered with a wrong configuration");
  },
};
