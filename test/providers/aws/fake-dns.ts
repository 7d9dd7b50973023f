/** Route 53 as far as records go: change batches, and lists that begin at a name and type. */
import { parseXml, toXml, type XmlElement, type XmlValue } from "#providers/rest/xml.ts";
import { Refused } from "./fake-control.ts";

export interface FakeRecord {
  zone: string;
  name: string;
  type: string;
  set: string;
  xml: string;
}

export class FakeDns {
  readonly records = new Map<string, FakeRecord>();
  readonly zones = new Set<string>();
  afterChange: (verb: "create" | "update" | "delete", record: FakeRecord) => void = () => {};
  #changes = 0;

  answer(method: string, url: URL, body: string): string {
    const [, , kind = "", zone = ""] = url.pathname.split("/");
    if (kind === "change") return change(zone, "INSYNC");
    if (!this.zones.has(zone)) throw new Refused("NoSuchHostedZone", `No zone ${zone}`, 404);
    if (method === "GET") return this.#list(zone, url.searchParams);
    const batch = parseXml(body)?.find("ChangeBatch")?.find("Changes")?.find("Change");
    const record = batch?.find("ResourceRecordSet");
    const action = batch?.find("Action")?.text;
    if (record === undefined) throw new Refused("InvalidInput", "There is no change");
    this.#change(zone, action ?? "", record);
    this.#changes += 1;
    return `<?xml version="1.0"?><ChangeResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${change(`C${this.#changes}`, "PENDING", true)}</ChangeResourceRecordSetsResponse>`;
  }

  #change(zone: string, action: string, element: XmlElement): void {
    const name = fullName(element.find("Name")?.text ?? "");
    const type = element.find("Type")?.text ?? "";
    const set = element.find("SetIdentifier")?.text ?? "";
    const hasValue = element.find("ResourceRecords") ?? element.find("AliasTarget");
    if (name === "" || type === "" || hasValue === undefined)
      throw new Refused("InvalidInput", "A record needs a name, a type and a value");
    const record = {
      zone,
      name,
      type,
      set,
      xml: toXml({ ResourceRecordSet: shown(element, name) }),
    };
    const key = [zone, name, type, set].join("|");
    const there = this.records.get(key);
    if (action === "CREATE" && there !== undefined)
      throw new Refused("InvalidChangeBatch", `Tried to create ${name} but it already exists`);
    if (action === "DELETE") {
      if (there === undefined)
        throw new Refused("InvalidChangeBatch", `Tried to delete ${name} but it was not found`);
      if (there.xml !== record.xml)
        throw new Refused(
          "InvalidChangeBatch",
          "but the values provided do not match the current values",
        );
      this.records.delete(key);
      this.afterChange("delete", there);
      return;
    }
    this.records.set(key, record);
    this.afterChange(there === undefined ? "create" : "update", record);
  }

  #list(zone: string, query: URLSearchParams): string {
    const [name, type, set] = ["name", "type", "identifier"].map((key) => query.get(key) ?? "");
    const first = [...this.records.values()]
      .filter((one) => one.zone === zone)
      .find((one) => one.name === fullName(name ?? "") && one.type === type && one.set === set);
    return `<?xml version="1.0"?><ListResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ResourceRecordSets>${first?.xml ?? ""}</ResourceRecordSets><IsTruncated>false</IsTruncated></ListResourceRecordSetsResponse>`;
  }
}

function change(id: string, status: string, inner = false): string {
  const info = `<ChangeInfo><Id>/change/${id}</Id><Status>${status}</Status></ChangeInfo>`;
  return inner ? info : `<?xml version="1.0"?><GetChangeResponse>${info}</GetChangeResponse>`;
}

/** As Route 53 shows names. */
function fullName(name: string): string {
  const lower = name.toLowerCase().replaceAll("*", "\\052");
  return lower === "" || lower.endsWith(".") ? lower : `${lower}.`;
}

const order = [
  "SetIdentifier",
  "Weight",
  "Region",
  "GeoLocation",
  "Failover",
  "MultiValueAnswer",
  "TTL",
  "ResourceRecords",
  "AliasTarget",
  "HealthCheckId",
] as const;

function shown(element: XmlElement, name: string): Record<string, XmlValue> {
  const members = order.flatMap((key): [string, XmlValue][] => {
    const found = element.find(key);
    return found === undefined ? [] : [[key, valueOf(key, found)]];
  });
  return { Name: name, Type: element.find("Type")?.text, ...Object.fromEntries(members) };
}

function valueOf(key: (typeof order)[number], element: XmlElement): XmlValue {
  if (key === "ResourceRecords")
    return {
      ResourceRecord: element
        .all("ResourceRecord")
        .map((one) => ({ Value: one.find("Value")?.text })),
    };
  if (key === "AliasTarget")
    return {
      HostedZoneId: element.find("HostedZoneId")?.text,
      DNSName: fullName(element.find("DNSName")?.text ?? ""),
      EvaluateTargetHealth: element.find("EvaluateTargetHealth")?.text,
    };
  return element.text;
}
