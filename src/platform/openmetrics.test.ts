import { describe, expect, it } from "vitest";
import { readOpenMetrics } from "#test/support/read-openmetrics.ts";
import { exposition } from "./openmetrics.ts";

describe("exposition", () => {
  it("writes each family with its samples, and the end", () => {
    const text = exposition([
      { name: "up", type: "gauge", help: "Whether.", samples: [{ value: 1 }] },
      { name: "none", type: "gauge", help: "Nothing.", samples: [] },
      {
        name: "age_seconds",
        type: "gauge",
        unit: "seconds",
        help: "How old.",
        samples: [
          { labels: { state: "A" }, value: 0.5 },
          { labels: { state: "B", kind: "x" }, value: -1 },
        ],
      },
      { name: "faults", type: "counter", help: "How many.", samples: [{ value: 1e21 }] },
      { name: "build", type: "info", help: "Which.", samples: [{ labels: { v: "1" }, value: 1 }] },
    ]);
    expect(text.split("\n")).toEqual([
      "# TYPE up gauge",
      "# HELP up Whether.",
      "up 1",
      "# TYPE none gauge",
      "# HELP none Nothing.",
      "# TYPE age_seconds gauge",
      "# UNIT age_seconds seconds",
      "# HELP age_seconds How old.",
      'age_seconds{state="A"} 0.5',
      'age_seconds{state="B",kind="x"} -1',
      "# TYPE faults counter",
      "# HELP faults How many.",
      "faults_total 1e+21",
      "# TYPE build info",
      "# HELP build Which.",
      'build_info{v="1"} 1',
      "# EOF",
      "",
    ]);
    expect(readOpenMetrics(text).size).toBe(5);
  });

  it.each([
    'a"} 1\nup 0',
    "back\\slash",
    "ends with a \\",
    "\\n is no line break",
    "a\nb\r\u2028c",
    "{,=# EOF",
    "ümläut 🙂",
    "",
  ])("keeps a label and a help of %j unchanged", (hostile) => {
    const samples = [{ labels: { name: hostile }, value: 1 }];
    const text = exposition([{ name: "up", type: "gauge", help: `Of ${hostile}`, samples }]);
    const family = readOpenMetrics(text).get("up");
    expect(family?.help).toBe(`Of ${hostile}`);
    expect(family?.samples).toEqual(samples);
  });
});

describe("the reader of the tests", () => {
  const up = "# TYPE up gauge\nup 1\n";
  it.each([
    ["no end", up, "not end with # EOF"],
    ["more after the end", `${up}# EOF\nup 2\n`, "not end with # EOF"],
    ["an end that is not ended", `${up}# EOF`, "line is not ended"],
    ["an empty line", `${up}\n# EOF\n`, "Not a line"],
    ["a sample twice", `${up}up 2\n# EOF\n`, "Twice"],
    [
      "labels twice, in another order",
      '# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n# EOF\n',
      "Twice",
    ],
    ["a label twice", '# TYPE a gauge\na{b="1",b="2"} 1\n# EOF\n', "No label"],
    [
      "a family in two parts",
      `${up}# TYPE down gauge\ndown 1\n# HELP up Again.\n# EOF\n`,
      "Parts of a family are apart",
    ],
    ["a sample of another family", `${up}down 1\n# EOF\n`, "Of another family"],
    ["a counter without its suffix", "# TYPE a counter\na 1\n# EOF\n", "Of another family"],
    ["a counter below zero", "# TYPE a counter\na_total -1\n# EOF\n", "No value of this type"],
    ["an info of another value", "# TYPE a info\na_info 2\n# EOF\n", "No value of this type"],
    [
      "a unit that is not in the name",
      "# TYPE a gauge\n# UNIT a seconds\n# EOF\n",
      "not end with the unit",
    ],
    ["an unknown type", "# TYPE a number\n# EOF\n", "No type"],
    ["a help after a sample", "# TYPE a gauge\na 1\n# HELP a b\n# EOF\n", "Told after a sample"],
    ["a value that is none", "# TYPE a gauge\na one\n# EOF\n", "No value"],
    ["two spaces", "# TYPE a gauge\na  1\n# EOF\n", "No value"],
    ["a quote in a label", '# TYPE a gauge\na{b="c"d"} 1\n# EOF\n', "not separated"],
    ["an unknown escape", '# TYPE a gauge\na{b="\\t"} 1\n# EOF\n', "No escape"],
    ["a carriage return", "# TYPE a gauge\r\na 1\n# EOF\n", "No type"],
  ])("refuses %s", (_, text, why) => {
    expect(() => readOpenMetrics(text)).toThrow(why);
  });
});
