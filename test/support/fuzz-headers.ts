/** Valid and invalid headers. */
import * as fc from "fast-check";

export const requestHeaders: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    maybe("if-match", ['"1"', "*", '"0"', 'W/"1"', "junk", '"1", "2"', ","]),
    maybe("if-none-match", ["*", '"1"', 'W/"1"', "junk"]),
    maybe("idempotency-key", ["a", "b", "c", "~".repeat(255), "~".repeat(256), "a b", ""]),
    maybe("content-type", [
      "application/json; charset=utf-8",
      "application/merge-patch+json",
      "application/yaml",
      "text/plain",
      "application/jsonp",
      "multipart/form-data; boundary=x",
      "",
    ]),
    maybe("prefer", [
      "handling=lenient",
      "handling=strict",
      "wait=0",
      "wait=-1",
      "wait=abc",
      "wait",
      "respond-async",
      "wait=0, wait=25",
    ]),
    maybe("accept", ["*/*", "text/html", "application/json", "image/png;q=nonsense"]),
    maybe("traceparent", [
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-zz-zz-zz",
      "ff-",
    ]),
    maybe("x-request-id", ["abc-1.2", "has space", "x".repeat(65)]),
    maybe("last-event-id", ["1", "-1", "1e309", "x"]),
    maybe("origin", ["null", "https://evil.example"]),
  )
  .map((list) => Object.assign({}, ...list) as Record<string, string>);

function maybe(name: string, values: string[]): fc.Arbitrary<Record<string, string>> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => ({ [name]: value })) },
  );
}
