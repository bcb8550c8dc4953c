// Loaded ahead of the command line, so that it takes this Node.js for an unsupported one.
Object.defineProperty(process.versions, "node", { value: "20.20.2" });
