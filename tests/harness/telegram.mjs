// A server of telegram-test-api on the loopback; its arguments are the port.
import library from "telegram-test-api";

const Server = library.default ?? library;
await new Server({ port: Number(process.argv[2]), host: "127.0.0.1", storeTimeout: 600 }).start();
