import { expect, it } from "vitest";
import { inWords } from "./place-in-words.ts";

const place = { path: "/resources/subnet", line: 4, column: 3 };

it("says the line, the component and the resource that uses it", () => {
  expect(inWords(place)).toBe("line 4 of the template");
  const component = "standard-network 1.2.0";
  expect(inWords({ ...place, component })).toBe("line 4 of the component standard-network 1.2.0");
  expect(inWords({ ...place, component }, 'network/subnet["a"]')).toBe(
    'line 4 of the component standard-network 1.2.0, used for network/subnet["a"]',
  );
});
