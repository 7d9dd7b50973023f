/** Objects that move among resources, loops and components by aliases, and back by the templates before. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { adoptAliases } from "#engine/state/adopt-aliases.ts";
import { aliasUsers, spendAliases } from "#engine/state/spend-aliases.ts";
import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { type ControlNames, layOut } from "#engine/template/resolve.ts";
import type { Library, Template } from "#engine/template/template.ts";
import { deployed, emptyState } from "#test/support/model-instance.ts";
import { knownIn } from "#test/support/stored-resource.ts";
import { aliasFor, partsOfAddress } from "./address.ts";
import { writeOut } from "./write-out.ts";

const control: ControlNames = {
  instance: { id: "i", name: "shop" },
  tenant: { id: "t", slug: "acme" },
  target: { name: "main", region: "eu", environment: "production" },
};

const addresses = [
  "plain",
  "other",
  'loop["a"]',
  'loop["b"]',
  'more["a"]',
  "inside/one",
  'inside/many["a"]',
  'each["x"]/one',
  'each["y"]/one',
];
const address = fc.constantFrom(...addresses);

interface Moving {
  to: string;
  from?: string | undefined;
}

interface Declared {
  [key: string]: unknown;
  forEach?: string[];
  options: { aliases: object[] };
}

/** The declarations of a template and of its components. */
interface Source {
  root: Record<string, Declared>;
  components: Record<string, Record<string, Declared>>;
}

/** Each object is at an address, with an alias of the former one. */
function sourceOf(objects: readonly Moving[]): Source {
  const source: Source = { root: {}, components: {} };
  for (const { to, from } of objects) {
    const [outer, inner] = partsOfAddress(to) ?? [];
    if (outer === undefined) throw new Error(`${to} is no address`);
    const resource = { type: "model:Plain", properties: {} };
    const part = inner === undefined ? outer.key : to.slice(outer.name.length).replace(/^\//, "");
    const alias = from === undefined || from === to ? [] : [moveFrom(from, part)];
    declare(source.root, outer, inner === undefined ? resource : { component: outer.name }, alias);
    if (inner !== undefined) declare((source.components[outer.name] ??= {}), inner, resource, []);
  }
  return source;
}

/** The template, written out. `alias`: the text in the place of `SOME_ALIAS`. */
function writtenOut({ root, components }: Source, alias = ""): Template {
  const library: Library = Object.fromEntries(
    Object.entries(components).map(([name, resources]) => [
      name,
      { template: parsed(resources, alias), pins: {} },
    ]),
  );
  const pins = Object.fromEntries(Object.keys(library).map((name) => [`${name}@*`, name]));
  const levels = layOut(parsed(root, alias), { config: {}, control }, { pins, library });
  return writeOut(levels.root, levels.layout).template;
}

const written = (objects: readonly Moving[]): Template => writtenOut(sourceOf(objects));

function moveFrom(from: string, part: string | undefined): object {
  return part === undefined ? { address: from } : { address: from, to: part };
}

function declare(
  among: Record<string, Declared>,
  { name, key }: { name: string; key?: string },
  more: object,
  aliases: object[],
): void {
  const one = (among[name] ??= { ...more, options: { aliases: [] } });
  if (key !== undefined) one.forEach = [...new Set([...(one.forEach ?? []), key])];
  one.options.aliases.push(...aliases);
}

const SOME_ALIAS = { name: "some" };

function parsed(resources: object, alias: string): Template {
  const text = JSON.stringify({ resources }).replace(JSON.stringify(SOME_ALIAS), alias);
  const { template, diagnostics } = parseTemplate(text);
  if (template === undefined || diagnostics.length > 0)
    throw new Error(JSON.stringify(diagnostics));
  return template;
}

let count = 0;

/** The state after the template was deployed, completely. */
function after(state: InstanceState, template: Template): InstanceState {
  const adopted = adoptAliases(state, template).current;
  const users = aliasUsers(template);
  const names = Object.keys(template.resources);
  const made = deployed(Object.fromEntries(names.map((name) => [name, {}]))).state;
  const current = names.map((name): [string, StoredResource] => {
    count += 1;
    const fresh = spendAliases({ ...knownIn(made, name), id: `${name} ${count}` }, users);
    return [name, adopted.get(name) ?? fresh];
  });
  return { ...state, current: new Map(current) };
}

it("keep one object on any way, and when any template of the way is deployed again", () => {
  const ways = fc.array(address, { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(ways, fc.array(fc.nat(5), { maxLength: 4 }), (way, again) => {
      const templates = way.map((to, at) => written([{ to, from: way[at - 1] }]));
      let state = emptyState;
      let id: string | undefined;
      for (const at of [...way.keys(), ...again.map((any) => any % way.length)]) {
        state = after(state, templates[at] as Template);
        const object = knownIn(state, way[at] as string);
        id ??= object.id;
        expect(object.id).toBe(id);
      }
    }),
    { numRuns: 300 },
  );
});

it("keep two objects where one takes the address of the other, and lose none on the way back", () => {
  const pair = fc.uniqueArray(address, { minLength: 2, maxLength: 2 });
  const ids = (state: InstanceState, at: readonly string[]) =>
    at.map((one) => knownIn(state, one).id);
  /** An alias in a loop does nothing while its former key is in the loop. */
  const isInLoop = (from: readonly string[], to: readonly string[]) =>
    from.some(
      (one, at) =>
        one !== to[at] &&
        one.startsWith("loop[") &&
        to.includes(one) &&
        to[at]?.startsWith("loop["),
    );
  fc.assert(
    fc.property(pair, pair, (from, to) => {
      fc.pre(!isInLoop(from, to));
      const before = after(emptyState, written(from.map((one) => ({ to: one }))));
      const moved = after(before, written(to.map((one, at) => ({ to: one, from: from[at] }))));
      expect(ids(moved, to)).toEqual(ids(before, from));
      const back = after(moved, written(from.map((one) => ({ to: one }))));
      expect(ids(back, from).toSorted()).toEqual(ids(before, from).toSorted());
    }),
    { numRuns: 300 },
  );
});

it("are made by the alias that errors tell", () => {
  fc.assert(
    fc.property(address, address, (from, to) => {
      fc.pre(from !== to);
      const { alias, on } = aliasFor(from, to);
      const source = sourceOf([{ to }]);
      const among = [source.root, ...Object.values(source.components)];
      among.find((declared) => on in declared)?.[on]?.options.aliases.push(SOME_ALIAS);
      expect(writtenOut(source, alias).resources[to]?.options.aliases).toContain(from);
    }),
  );
});
