/**
 * The values that an environment may keep. Any setting of an environment may hold a secret, so a harmless look is not
 * enough. Only values of closed lists are kept, each under the names that such values have.
 */
import { isSecretName } from "./secret-name.ts";

type Value = string | number | boolean | null;

const switches = /^(?:true|false|yes|no|on|off|enabled|disabled)$/i;

const directions = "north|south|east|west|central|northeast|northwest|southeast|southwest";
const places =
  "us|europe|asia|india|uk|uae|canada|australia|brazil|japan|korea|france|germany|norway|sweden|switzerland|italy|poland|spain|israel|qatar|mexico|africa|newzealand";
const region = new RegExp(
  [
    `^(?:us|eu|ap|sa|ca|me|af|il|mx|cn|ap)(?:-gov)?-(?:${directions})-\\d[a-f]?$`,
    `^(?:us|europe|asia|australia|southamerica|northamerica|me|africa)-(?:${directions})\\d{1,2}(?:-[a-f])?$`,
    `^(?:${directions}|westcentral|northcentral|southcentral)(?:${places})\\d?$`,
    `^(?:${places})(?:${directions})\\d?$`,
    "^(?:global|multi-region|ams3|blr1|fra1|lon1|nyc[123]|sfo[23]|sgp1|syd1|tor1)$",
  ].join("|"),
);

/** Kept values by the last words of their names. */
const plain: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [
    /(?:^|_)(?:env|environment|stage|mode|profile|tier)$/,
    /^(?:prod|production|preprod|staging|stage|dev|develop|development|debug|release|test|testing|qa|uat|ci|local|sandbox|preview|demo)$/i,
  ],
  [
    /(?:^|_)(?:level|verbosity)$/,
    /^(?:trace|debug|verbose|info|information|notice|warn|warning|error|fatal|critical|silent|none)$/i,
  ],
  [/(?:^|_)(?:region|location|zone)$/, region],
  [
    /(?:^|_)(?:port|ports|timeout|size|count|limit|max|min|workers|threads|replicas|concurrency|seconds|secs|ms|millis|interval|ttl|retries|attempts|minutes|hours|days|rate|percent|memory|cpu)$/,
    /^\d{1,6}(?:\.\d{1,3})?(?:ms|s|m|h|d|[kmg]i?b?|%)?$/i,
  ],
  [
    /(?:^|_)(?:host|hostname|bind|listen|address|addr)$/,
    /^(?:localhost|0\.0\.0\.0|127\.0\.0\.1|::1?)(?::\d{1,5})?$/,
  ],
  [
    /^(?:tz|timezone|time_zone)$/,
    /^(?:UTC|GMT|Etc\/UTC|(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z][a-z]{2,14}(?:_[A-Z][a-z]{2,14})?)$/,
  ],
  [/^(?:lang|language|lc_[a-z]{1,20}|locale)$/, /^(?:C|POSIX|[a-z]{2}_[A-Z]{2})(?:\.UTF-?8)?$/i],
  [
    /(?:^|_)(?:format|driver|protocol|scheme|backend|engine|adapter|dialect|transport|output)$/,
    /^(?:json|text|plain|pretty|logfmt|http|https|tcp|udp|grpc|redis|memcached|postgres|postgresql|mysql|mariadb|sqlite|mongodb|s3|gcs|local|file|memory|database|smtp|sqs|kafka|rabbitmq|stdout|stderr|console|syslog)$/i,
  ],
  [/(?:^|_)ssl_?mode$/, /^(?:disable|allow|prefer|require|verify-ca|verify-full)$/],
];

/** Normalizes a name for the patterns here: `logLevel` and `LOG-LEVEL` become `log_level`. */
export function snakeCase(name: string): string {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-. ]/g, "_")
    .toLowerCase();
}

/** The address of a secret is not the secret. */
const arn = /^arn:aws[a-z-]{0,10}:[a-z0-9-]{1,40}:[a-z0-9-]{0,20}:\d{0,12}:[\w+=,.@:/*-]{1,300}$/;

/** Whether a value in an environment is harmless: no secret under this name looks like it. */
export function isPlainSetting(name: string, value: Value): boolean {
  if (value === null || typeof value === "boolean" || value === "") return true;
  const text = String(value);
  if (switches.test(text)) return true;
  if (arn.test(text)) return true;
  if (isSecretName(name)) return false;
  if (/^[01]$/.test(text)) return true;
  const words = snakeCase(name);
  return plain.some(([names, values]) => names.test(words) && values.test(text));
}

const publicNames =
  /(?:^|_)(?:name|project|app|application|service|namespace|prefix|suffix|owner|team|domain|host|hostname|bucket|table|queue|topic|cluster|database|version|tag|image|repository|branch|arn|id|user|username|email|cidr|family|engine|type|class|size|path|env|environment|stage|region|location|zone)$/;
/** A word that people use as a name. */
const word = /^[A-Za-z0-9][A-Za-z0-9._/@:-]{0,60}$/;

/**
 * Whether a named value is harmless where an environment refers to it. Other parts of the code may refer to a name such
 * as `project` too.
 */
export function isPublicName(name: string, value: Value): boolean {
  if (isPlainSetting(name, value)) return true;
  if (isSecretName(name) || typeof value !== "string") return false;
  return publicNames.test(snakeCase(name)) && word.test(value);
}

/** Text between computed parts: a scheme, a port, punctuation. */
const joint =
  /^(?:(?:https?|wss?|tcp|udp|grpcs?|rediss?|amqps?|mongodb|mongodb\+srv|postgres|postgresql|mysql|jdbc:postgresql|jdbc:mysql|s3|gs|nats|kafka):\/\/)?[/:.,@ _-]{0,4}(?::?\d{2,5}\/?)?$/;

/** The domain after the name of an object in a vendor's address. */
const domain =
  /^\.[a-z0-9.-]{0,60}(?:azure\.com|azure\.net|windows\.net|azurewebsites\.net|azurecontainerapps\.io|amazonaws\.com|googleapis\.com|run\.app|cluster\.local)(?::\d{2,5})?\/?$/;

export function isJoint(piece: string): boolean {
  return joint.test(piece) || domain.test(piece);
}
