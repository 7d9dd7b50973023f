import {
  type Call,
  type FunctionEntry,
  numberAt,
  refused,
  text,
  textAt,
  whole,
} from "#engine/expressions/function-entry.ts";
import type { Value } from "#engine/value.ts";
import { type IpAddress, printAddress, readAddress } from "./ip-address.ts";

const common = {
  style: "function",
  reads: "outside",
  sealed: "refused",
  result: text,
  units: 30,
} as const;
const range = { name: "range", types: text } as const;

export const addressFunctions: readonly FunctionEntry[] = [
  {
    ...common,
    name: "cidrSubnet",
    parameters: [range, { name: "bits", types: whole }, { name: "number", types: whole }],
    description: "The subnet with this number of an address range, with more bits in its prefix.",
    evaluate: subnet,
  },
  {
    ...common,
    name: "cidrHost",
    parameters: [range, { name: "number", types: whole }],
    description: "The address with this number of an address range; -1 is the last one.",
    evaluate: host,
  },
  {
    ...common,
    name: "cidrNetmask",
    parameters: [range],
    description: "The netmask of an address range of version 4.",
    evaluate: (call) => {
      const { bits, prefix } = readRange(call);
      if (bits !== 32) throw refused(call, 0, "takes a range of version 4.");
      return printAddress({ value: maskOf(bits, prefix), bits });
    },
  },
];

interface AddressRange extends IpAddress {
  /** The length of the prefix; the other bits of the value are 0. */
  prefix: number;
}

function readRange(call: Call): AddressRange {
  const [address = "", length = "", ...more] = textAt(call, 0).split("/");
  const read = readAddress(address);
  const prefix = /^(?:0|[1-9][0-9]{0,2})$/.test(length) ? Number(length) : -1;
  if (read === undefined || more.length > 0 || prefix < 0 || prefix > read.bits)
    throw refused(call, 0, "takes an address range.", "Write it as in `10.0.0.0/16`.");
  const { value, bits } = read;
  return { value: value & maskOf(bits, prefix), bits, prefix };
}

function maskOf(bits: 32 | 128, prefix: number): bigint {
  const all = (1n << BigInt(bits)) - 1n;
  return all ^ ((1n << BigInt(bits - prefix)) - 1n);
}

function subnet(call: Call): Value {
  const { value, bits, prefix } = readRange(call);
  const [more, index] = [numberAt(call, 1) ?? 0, numberAt(call, 2) ?? 0];
  const longer = prefix + more;
  if (more < 0 || longer > bits)
    throw refused(call, 1, `takes 0 to ${bits - prefix} more bits for this range.`);
  const [place, count] = [BigInt(index), 1n << BigInt(more)];
  if (place < 0n || place >= count)
    throw refused(call, 2, `takes a number below ${count} for this many bits.`);
  return `${printAddress({ value: value | (place << BigInt(bits - longer)), bits })}/${longer}`;
}

function host(call: Call): Value {
  const { value, bits, prefix } = readRange(call);
  const count = 1n << BigInt(bits - prefix);
  const given = BigInt(numberAt(call, 1) ?? 0);
  const place = given < 0n ? count + given : given;
  if (place < 0n || place >= count)
    throw refused(call, 1, `takes a number within the range, which has ${count} addresses.`);
  return printAddress({ value: value | place, bits });
}
