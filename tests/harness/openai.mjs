// What people do with OpenAI's own library, at another address: each thing that was done is printed as a line of JSON.
import OpenAI from "openai";

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const model = "tameclaw";
const say = (content) => [{ role: "user", content }];
const print = (value) => console.log(JSON.stringify(value));

const refused = async (done) => {
  try {
    await done();
    print("not refused");
  } catch (error) {
    print([error.constructor.name, error.status, error.code, error.message]);
  }
};

const models = [];
for await (const one of await client.models.list()) models.push(one.id);
print(models);
print((await client.models.retrieve(model)).id);

const first = await client.chat.completions.create({ model, messages: say("tell me") });
print([first.choices[0].message.content, first.choices[0].finish_reason, first.usage.total_tokens]);

const messages = [...say("tell me"), first.choices[0].message, ...say("where?")];
const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
const pieces = [];
stream.on("content", (piece) => pieces.push(piece));
const whole = await stream.finalChatCompletion();
print([pieces.join(""), whole.choices[0].message.content, whole.usage.total_tokens]);

await refused(() => client.chat.completions.create({ model, messages: [] }));
await refused(() => client.chat.completions.create({ model, messages: say("x".repeat(1200000)) }));
await refused(() => client.models.retrieve("another"));
await refused(() => client.embeddings.create({ model, input: "x" }));
await refused(() => new OpenAI({ baseURL, apiKey: "wrong", maxRetries: 0 }).models.list());
