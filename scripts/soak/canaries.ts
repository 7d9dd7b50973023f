/** Secret values that clients send, and a watch for them in everything that comes back. */
import { randomBytes } from "node:crypto";

export class Canaries {
  /** Where a secret was seen, without the secret. */
  readonly sightings: string[] = [];
  readonly #secrets: string[] = [];

  /** A new secret value. */
  make(): string {
    return this.add(`canary${randomBytes(12).toString("hex")}`);
  }

  add(secret: string): string {
    this.#secrets.push(secret);
    return secret;
  }

  look(place: string, text: string): void {
    const spelt = (secret: string): boolean =>
      text.includes(secret) || text.includes(Buffer.from(secret).toString("base64").slice(0, -4));
    if (this.#secrets.some(spelt)) this.sightings.push(place);
  }
}
