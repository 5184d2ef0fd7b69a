/** Every function rules may call, with its overloads. A line is `function: overload(types)result; …`; a leading dot marks members. */
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  STRING,
  TIMESTAMP,
  UINT,
} from "./types.ts";

const table = `
_&&_: logical_and(bool,bool)bool
_||_: logical_or(bool,bool)bool
!_: logical_not(bool)bool
_?_:_: conditional(bool,A,A)A
_==_: equals(A,A)bool
_!=_: not_equals(A,A)bool
_+_: add_bytes(bytes,bytes)bytes; add_double(double,double)double; add_duration_duration(duration,duration)duration; add_duration_timestamp(duration,timestamp)timestamp; add_timestamp_duration(timestamp,duration)timestamp; add_int64(int,int)int; add_list(list(A),list(A))list(A); add_string(string,string)string; add_uint64(uint,uint)uint
_-_: subtract_double(double,double)double; subtract_duration_duration(duration,duration)duration; subtract_int64(int,int)int; subtract_timestamp_duration(timestamp,duration)timestamp; subtract_timestamp_timestamp(timestamp,timestamp)duration; subtract_uint64(uint,uint)uint
_*_: multiply_double(double,double)double; multiply_int64(int,int)int; multiply_uint64(uint,uint)uint
_/_: divide_double(double,double)double; divide_int64(int,int)int; divide_uint64(uint,uint)uint
_%_: modulo_int64(int,int)int; modulo_uint64(uint,uint)uint
-_: negate_double(double)double; negate_int64(int)int
@in: in_list(A,list(A))bool; in_map(A,map(A,B))bool
_[_]: index_list(list(A),int)A; index_map(map(A,B),A)B; optional_list_index_int(optional(list(A)),int)optional(A); optional_map_index_value(optional(map(A,B)),A)optional(B)
_[?_]: list_optindex_optional_int(list(A),int)optional(A); optional_list_optindex_optional_int(optional(list(A)),int)optional(A); map_optindex_optional_value(map(A,B),A)optional(B); optional_map_optindex_optional_value(optional(map(A,B)),A)optional(B)
size: size_bytes(bytes)int; size_list(list(A))int; size_map(map(A,B))int; size_string(string)int
.size: bytes_size(bytes)int; list_size(list(A))int; map_size(map(A,B))int; string_size(string)int
type: type(A)type(A)
dyn: to_dyn(A)dyn
bool: bool_to_bool(bool)bool; string_to_bool(string)bool
bytes: bytes_to_bytes(bytes)bytes; string_to_bytes(string)bytes
double: double_to_double(double)double; int64_to_double(int)double; string_to_double(string)double; uint64_to_double(uint)double
duration: duration_to_duration(duration)duration; int64_to_duration(int)duration; string_to_duration(string)duration
int: int64_to_int64(int)int; double_to_int64(double)int; duration_to_int64(duration)int; string_to_int64(string)int; timestamp_to_int64(timestamp)int; uint64_to_int64(uint)int
string: string_to_string(string)string; bool_to_string(bool)string; bytes_to_string(bytes)string; double_to_string(double)string; duration_to_string(duration)string; int64_to_string(int)string; timestamp_to_string(timestamp)string; uint64_to_string(uint)string; ip_to_string(net.IP)string; cidr_to_string(net.CIDR)string
timestamp: timestamp_to_timestamp(timestamp)timestamp; int64_to_timestamp(int)timestamp; string_to_timestamp(string)timestamp
uint: uint64_to_uint64(uint)uint; double_to_uint64(double)uint; int64_to_uint64(int)uint; string_to_uint64(string)uint
.contains: contains_string(string,string)bool
.endsWith: ends_with_string(string,string)bool
.startsWith: starts_with_string(string,string)bool
matches: matches(string,string)bool
.matches: matches_string(string,string)bool
.getFullYear: timestamp_to_year(timestamp)int; timestamp_to_year_with_tz(timestamp,string)int
.getMonth: timestamp_to_month(timestamp)int; timestamp_to_month_with_tz(timestamp,string)int
.getDayOfYear: timestamp_to_day_of_year(timestamp)int; timestamp_to_day_of_year_with_tz(timestamp,string)int
.getDayOfMonth: timestamp_to_day_of_month(timestamp)int; timestamp_to_day_of_month_with_tz(timestamp,string)int
.getDate: timestamp_to_day_of_month_1_based(timestamp)int; timestamp_to_day_of_month_1_based_with_tz(timestamp,string)int
.getDayOfWeek: timestamp_to_day_of_week(timestamp)int; timestamp_to_day_of_week_with_tz(timestamp,string)int
.getHours: timestamp_to_hours(timestamp)int; timestamp_to_hours_with_tz(timestamp,string)int; duration_to_hours(duration)int
.getMinutes: timestamp_to_minutes(timestamp)int; timestamp_to_minutes_with_tz(timestamp,string)int; duration_to_minutes(duration)int
.getSeconds: timestamp_to_seconds(timestamp)int; timestamp_to_seconds_with_tz(timestamp,string)int; duration_to_seconds(duration)int
.getMilliseconds: timestamp_to_milliseconds(timestamp)int; timestamp_to_milliseconds_with_tz(timestamp,string)int; duration_to_milliseconds(duration)int
.charAt: string_char_at_int(string,int)string
.indexOf: string_index_of_string(string,string)int; string_index_of_string_int(string,string,int)int; list_a_index_of_int(list(A),A)int
.lastIndexOf: string_last_index_of_string(string,string)int; string_last_index_of_string_int(string,string,int)int; list_a_last_index_of_int(list(A),A)int
.lowerAscii: string_lower_ascii(string)string
.upperAscii: string_upper_ascii(string)string
.replace: string_replace_string_string(string,string,string)string; string_replace_string_string_int(string,string,string,int)string
.split: string_split_string(string,string)list(string); string_split_string_int(string,string,int)list(string)
.substring: string_substring_int(string,int)string; string_substring_int_int(string,int,int)string
.trim: string_trim(string)string
.format: string_format(string,list(dyn))string
strings.quote: strings_quote(string)string
.join: list_join(list(string))string; list_join_string(list(string),string)string
.find: string_find_string(string,string)string
.findAll: string_find_all_string(string,string)list(string); string_find_all_string_int(string,string,int)list(string)
.isSorted: list_int_is_sorted_bool(list(int))bool; list_uint_is_sorted_bool(list(uint))bool; list_double_is_sorted_bool(list(double))bool; list_bool_is_sorted_bool(list(bool))bool; list_duration_is_sorted_bool(list(duration))bool; list_timestamp_is_sorted_bool(list(timestamp))bool; list_string_is_sorted_bool(list(string))bool; list_bytes_is_sorted_bool(list(bytes))bool
.sum: list_int_sum_int(list(int))int; list_uint_sum_uint(list(uint))uint; list_double_sum_double(list(double))double; list_duration_sum_duration(list(duration))duration
.max: list_int_max_int(list(int))int; list_uint_max_uint(list(uint))uint; list_double_max_double(list(double))double; list_bool_max_bool(list(bool))bool; list_duration_max_duration(list(duration))duration; list_timestamp_max_timestamp(list(timestamp))timestamp; list_string_max_string(list(string))string; list_bytes_max_bytes(list(bytes))bytes
.min: list_int_min_int(list(int))int; list_uint_min_uint(list(uint))uint; list_double_min_double(list(double))double; list_bool_min_bool(list(bool))bool; list_duration_min_duration(list(duration))duration; list_timestamp_min_timestamp(list(timestamp))timestamp; list_string_min_string(list(string))string; list_bytes_min_bytes(list(bytes))bytes
.slice: list_slice(list(A),int,int)list(A)
.flatten: list_flatten(list(list(A)))list(A); list_flatten_int(list(dyn),int)list(dyn)
.reverse: list_reverse(list(A))list(A)
.distinct: list_distinct(list(A))list(A)
.sort: list_int_sort(list(int))list(int); list_uint_sort(list(uint))list(uint); list_double_sort(list(double))list(double); list_bool_sort(list(bool))list(bool); list_duration_sort(list(duration))list(duration); list_timestamp_sort(list(timestamp))list(timestamp); list_string_sort(list(string))list(string); list_bytes_sort(list(bytes))list(bytes)
lists.range: lists_range(int)list(int)
sets.contains: list_sets_contains_list(list(A),list(A))bool
sets.equivalent: list_sets_equivalent_list(list(A),list(A))bool
sets.intersects: list_sets_intersects_list(list(A),list(A))bool
optional.of: optional_of(A)optional(A)
optional.ofNonZeroValue: optional_ofNonZeroValue(A)optional(A)
optional.none: optional_none()optional(A)
.value: optional_value(optional(A))A
.hasValue: optional_hasValue(optional(A))bool
.or: optional_or_optional(optional(A),optional(A))optional(A)
.orValue: optional_orValue_value(optional(A),A)A
quantity: string_to_quantity(string)kubernetes.Quantity
isQuantity: is_quantity_string(string)bool
sign: quantity_sign(kubernetes.Quantity)int
.isGreaterThan: quantity_is_greater_than(kubernetes.Quantity,kubernetes.Quantity)bool; semver_is_greater_than(kubernetes.Semver,kubernetes.Semver)bool
.isLessThan: quantity_is_less_than(kubernetes.Quantity,kubernetes.Quantity)bool; semver_is_less_than(kubernetes.Semver,kubernetes.Semver)bool
.compareTo: quantity_compare_to(kubernetes.Quantity,kubernetes.Quantity)int; semver_compare_to(kubernetes.Semver,kubernetes.Semver)int
.asApproximateFloat: quantity_get_float(kubernetes.Quantity)double
.asInteger: quantity_get_int(kubernetes.Quantity)int
.isInteger: quantity_is_integer(kubernetes.Quantity)bool
.add: quantity_add(kubernetes.Quantity,kubernetes.Quantity)kubernetes.Quantity; quantity_add_int(kubernetes.Quantity,int)kubernetes.Quantity
.sub: quantity_sub(kubernetes.Quantity,kubernetes.Quantity)kubernetes.Quantity; quantity_sub_int(kubernetes.Quantity,int)kubernetes.Quantity
url: string_to_url(string)kubernetes.URL
isURL: is_url_string(string)bool
.getScheme: url_get_scheme(kubernetes.URL)string
.getHost: url_get_host(kubernetes.URL)string
.getHostname: url_get_hostname(kubernetes.URL)string
.getPort: url_get_port(kubernetes.URL)string
.getEscapedPath: url_get_escaped_path(kubernetes.URL)string
.getQuery: url_get_query(kubernetes.URL)map(string,list(string))
ip: string_to_ip(string)net.IP
.ip: cidr_ip(net.CIDR)net.IP
isIP: is_ip(string)bool
ip.isCanonical: ip_is_canonical(string)bool
.family: ip_family(net.IP)int
.isUnspecified: ip_is_unspecified(net.IP)bool
.isLoopback: ip_is_loopback(net.IP)bool
.isLinkLocalMulticast: ip_is_link_local_multicast(net.IP)bool
.isLinkLocalUnicast: ip_is_link_local_unicast(net.IP)bool
.isGlobalUnicast: ip_is_global_unicast(net.IP)bool
cidr: string_to_cidr(string)net.CIDR
isCIDR: is_cidr(string)bool
.containsIP: cidr_contains_ip_string(net.CIDR,string)bool; cidr_contains_ip_ip(net.CIDR,net.IP)bool
.containsCIDR: cidr_contains_cidr_string(net.CIDR,string)bool; cidr_contains_cidr(net.CIDR,net.CIDR)bool
.prefixLength: cidr_prefix_length(net.CIDR)int
.masked: cidr_masked(net.CIDR)net.CIDR
semver: string_to_semver(string)kubernetes.Semver; string_bool_to_semver(string,bool)kubernetes.Semver
isSemver: is_semver_string(string)bool; is_semver_string_bool(string,bool)bool
.major: semver_major(kubernetes.Semver)int
.minor: semver_minor(kubernetes.Semver)int
.patch: semver_patch(kubernetes.Semver)int
format.named: format-named(string)optional(kubernetes.NamedFormat)
.validate: format-validate(kubernetes.NamedFormat,string)optional(list(string))
`;

/** Named formats, each a function without arguments. */
export const formatNames = [
  "dns1123Label",
  "dns1123Subdomain",
  "dns1035Label",
  "qualifiedName",
  "dns1123LabelPrefix",
  "dns1123SubdomainPrefix",
  "dns1035LabelPrefix",
  "labelValue",
  "uri",
  "uuid",
  "byte",
  "date",
  "datetime",
] as const;

export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
}

const simpleTypes: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  null: NULL,
  dyn: DYN,
  timestamp: TIMESTAMP,
  duration: DURATION,
};

class TypeReader {
  private rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  private word(): string {
    const word = /^[A-Za-z_.0-9-]*/.exec(this.rest)?.[0] ?? "";
    this.rest = this.rest.slice(word.length);
    return word;
  }

  list(): CelType[] {
    this.rest = this.rest.slice(1);
    const types: CelType[] = [];
    while (!this.rest.startsWith(")")) {
      types.push(this.type());
      if (this.rest.startsWith(",")) this.rest = this.rest.slice(1);
    }
    this.rest = this.rest.slice(1);
    return types;
  }

  type(): CelType {
    const name = this.word();
    if (!this.rest.startsWith("("))
      return simpleTypes[name] ?? (/^[A-Z]$/.test(name) ? { kind: "param", name } : opaque(name));
    const [first = DYN, second = DYN] = this.list();
    if (name === "list") return listOf(first);
    if (name === "map") return mapOf(first, second);
    return name === "type" ? { kind: "type", of: first } : opaque("optional_type", first);
  }

  overload(member: boolean): Overload {
    const id = this.word();
    const params = this.list();
    return { id, member, params, result: this.type() };
  }
}

const comparisons = [
  ["_<_", "less"],
  ["_<=_", "less_equals"],
  ["_>_", "greater"],
  ["_>=_", "greater_equals"],
] as const;

/** Numbers compare with each other across types; everything else with its own. */
function comparisonOverloads(word: string): Overload[] {
  const same = ["bool", "int64", "uint64", "double", "string", "bytes", "timestamp", "duration"];
  const numbers = ["int64", "uint64", "double"];
  const typeNamed = (name: string): CelType => simpleTypes[name.replace("64", "")] ?? DYN;
  const overload = (a: string, b: string): Overload => ({
    id: a === b ? `${word}_${a}` : `${word}_${a}_${b}`,
    member: false,
    params: [typeNamed(a), typeNamed(b)],
    result: BOOL,
  });
  const across = numbers.flatMap((a) => numbers.filter((b) => a !== b).map((b) => overload(a, b)));
  return [...same.map((name) => overload(name, name)), ...across];
}

function read(): Map<string, Overload[]> {
  const functions = new Map<string, Overload[]>();
  for (const line of table.trim().split("\n")) {
    const end = line.indexOf(": ");
    const member = line.startsWith(".");
    const name = line.slice(member ? 1 : 0, end);
    const overloads = line
      .slice(end + 2)
      .split("; ")
      .map((text) => new TypeReader(text).overload(member));
    functions.set(name, [...(functions.get(name) ?? []), ...overloads]);
  }
  for (const [symbol, word] of comparisons) functions.set(symbol, comparisonOverloads(word));
  for (const name of formatNames)
    functions.set(`format.${name}`, [
      { id: `format.${name}`, member: false, params: [], result: opaque("kubernetes.NamedFormat") },
    ]);
  return functions;
}

let functions: ReadonlyMap<string, readonly Overload[]> | undefined;

/** The overloads of a function, or undefined when there is none of that name. */
export function findOverloads(name: string): readonly Overload[] | undefined {
  functions ??= read();
  return functions.get(name);
}

const typeConstants: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ...Object.entries(simpleTypes).filter(([name]) => !["null", "dyn", "timestamp", "duration"].includes(name)),
  ["null_type", NULL],
  ["list", listOf(DYN)],
  ["map", mapOf(DYN, DYN)],
  ["google.protobuf.Timestamp", TIMESTAMP],
  ["google.protobuf.Duration", DURATION],
  ["optional_type", opaque("optional_type", DYN)],
  ["kubernetes.Quantity", opaque("kubernetes.Quantity")],
  ["kubernetes.URL", opaque("kubernetes.URL")],
  ["kubernetes.Semver", opaque("kubernetes.Semver")],
  ["net.IP", opaque("net.IP")],
  ["net.CIDR", opaque("net.CIDR")],
  ["type", { kind: "type", of: DYN }],
]);

/** The type that a name stands for, as in `type(x) == string`. */
export function findTypeConstant(name: string): CelType | undefined {
  return typeConstants.get(name);
}
