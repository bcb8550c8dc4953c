exports.register = () => {};
