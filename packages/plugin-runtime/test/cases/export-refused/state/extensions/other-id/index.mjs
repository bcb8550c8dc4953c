export default { id: "another", register() {} };
