import type { Shard, ShardIndex } from "./shard.ts";

/** The static assets of the Worker (the binding `ASSETS`). */
export interface Assets {
  fetch: (url: string) => Promise<Response>;
}

/** About as many characters as a dozen of the largest shards, or all of AWS three times. */
const MAX_CHARACTERS = 6_000_000;

/**
 * The shards that were read; the least recently used are forgotten first. It holds values:
 * a promise of a request that ended never settles.
 */
export class ShardCache {
  readonly #kept = new Map<string, { value: unknown; characters: number }>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** Undefined when no shards of the provider are deployed. Throws when the assets cannot be read. */
  async index(provider: string, assets: Assets): Promise<ShardIndex | undefined> {
    return (await this.#read(`catalogue/${provider}/index.json`, assets)) as ShardIndex | undefined;
  }

  /** Throws when the assets cannot be read. */
  async shard(provider: string, service: string, assets: Assets): Promise<Shard> {
    const shard = await this.#read(`catalogue/${provider}/${service}.json`, assets);
    if (shard === undefined) throw new Error(`The catalogue lacks ${provider}/${service}.json`);
    return shard as Shard;
  }

  /** Names of outputs, with spaces between them, by type. Throws when the assets cannot be read. */
  async outputs(
    provider: string,
    assets: Assets,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const tables = await this.#read(`outputs/${provider}.json`, assets);
    return tables as Readonly<Record<string, string>> | undefined;
  }

  async #read(file: string, assets: Assets): Promise<unknown> {
    const known = this.#kept.get(file);
    if (known !== undefined) {
      this.#kept.delete(file);
      this.#kept.set(file, known);
      return known.value;
    }
    // Only the path counts; the host is one that nobody has.
    const response = await assets.fetch(`https://assets.invalid/${file}`);
    if (!response.ok && response.status !== 404)
      throw new Error(`The asset ${file} was answered with ${response.status}`);
    const text = await response.text();
    const read = response.ok
      ? { value: JSON.parse(text) as unknown, characters: text.length }
      : { value: undefined, characters: 0 };
    this.#keep(file, read);
    return read.value;
  }

  #keep(file: string, read: { value: unknown; characters: number }): void {
    this.#characters += read.characters - (this.#kept.get(file)?.characters ?? 0);
    this.#kept.set(file, read);
    for (const [oldest, { characters }] of this.#kept) {
      if (this.#characters <= this.#maxCharacters || oldest === file) return;
      this.#kept.delete(oldest);
      this.#characters -= characters;
    }
  }
}
