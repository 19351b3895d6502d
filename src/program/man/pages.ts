/**
 * The manual pages by file name: riskcli(1) and one for each command, made from the program's tables, and one in section 7 for
 * each topic, made from its page of docs/.
 */
import { argumentTerm, type Command } from '../../cli/command.ts';
import { EXITS, exitsOf } from '../../cli/exits.ts';
import { type Flag, flagTerm } from '../../cli/flag.ts';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../../cli/global-flags.ts';
import { VARIABLES, variablesOf } from '../../cli/variables.ts';
import { type Topic, topics } from '../topics/index.ts';
import { type Block, renderPage } from '../topics/page.ts';

export interface PageOptions {
  readonly version: string;
  /** The day on which this version was made, YYYY-MM-DD. */
  readonly date: string;
}

export async function manPages(
  commands: readonly Command[],
  options: PageOptions,
): Promise<Readonly<Record<string, string>>> {
  const pages = commands.map((command) => [`riskcli-${command.name}.1`, commandPage(command, options)] as const);
  const ofTopics = topics.map(async (topic) => [`riskcli-${topic.name}.7`, await topicPage(topic, options)] as const);
  return Object.fromEntries([['riskcli.1', rootPage(commands, options)], ...pages, ...(await Promise.all(ofTopics))]);
}

const page = (lines: readonly string[]) => `${lines.join('\n')}\n`;

function heading(name: string, summary: string, { version, date }: PageOptions, chapter = 1): string[] {
  return [
    '.\\" Made by the build.',
    `.TH ${name.toUpperCase()} ${chapter} ${date} "riskcli ${version}" "riskcli manual"`,
    section('NAME'),
    `${plain(name)} \\- ${plain(summary)}`,
  ];
}

function rootPage(commands: readonly Command[], options: PageOptions): string {
  return page([
    ...heading('riskcli', 'risk profiles of blockchain wallets', options),
    section('SYNOPSIS'),
    '.B riskcli',
    plain('<command> [options]'),
    section('DESCRIPTION'),
    'The command\\-line client of the Wallet Risk Profile Service: one wallet at a glance, or a list of a million.',
    plain('riskcli help COMMAND says what each command does; riskcli help TOPIC explains what they share.'),
    '.PP',
    'There is no telemetry and no update check: riskcli talks to the service that you configure, and to nobody else.',
    section('COMMANDS'),
    ...commands.flatMap(({ name, summary }) => item(`riskcli-${name}(1)`, summary)),
    section('OPTIONS'),
    ...optionItems([...GLOBAL_FLAGS, VERSION_FLAG, HELP_FLAG]),
    section('TOPICS'),
    ...topics.flatMap(({ name, summary }) => item(`riskcli-${name}(7)`, summary)),
    section('EXAMPLES'),
    'Try it with a sandbox, without an account or a network:',
    ...example('riskcli profile --sandbox 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'One wallet').slice(2),
    ...example('riskcli keys set --base-url https://api.example.com', 'Your own service and key'),
    ...variables(VARIABLES.map(({ name }) => name)),
    ...exits(EXITS.map(({ code }) => code)),
    section('SEE ALSO'),
    commands.map(({ name }) => `.BR riskcli\\-${name} (1)`).join(' ,\n'),
  ]);
}

function commandPage(command: Command, options: PageOptions): string {
  return page([
    ...heading(`riskcli-${command.name}`, command.summary, options),
    section('SYNOPSIS'),
    ...synopsis(command, ['riskcli', command.name]),
    section('DESCRIPTION'),
    ...paragraphs(command.description ?? `${command.summary}.`),
    ...argumentItems(command),
    ...groupedOptions(command.flags ?? [], section('OPTIONS')),
    ...(command.subcommands?.length ? [section('COMMANDS'), ...command.subcommands.flatMap(subcommand)] : []),
    ...(command.details ? [section('DETAILS'), ...paragraphs(command.details)] : []),
    section('GLOBAL OPTIONS'),
    ...optionItems([...GLOBAL_FLAGS, HELP_FLAG]),
    section('EXAMPLES'),
    ...examples(command).slice(1),
    ...variables(variablesOf(command)),
    ...exits(exitsOf(command)),
    section('SEE ALSO'),
    '.BR riskcli (1)',
  ]);
}

async function topicPage({ name, summary, load }: Topic, options: PageOptions): Promise<string> {
  const { blocks } = await load();
  const lines = [section('DESCRIPTION'), ...blocks.slice(1).flatMap(blockLines)];
  return page([
    ...heading(`riskcli-${name}`, summary, options, 7),
    // A section begins a paragraph without .PP.
    ...lines.filter((line, i) => line !== '.PP' || !lines[i - 1]?.startsWith('.SH')),
    section('"SEE ALSO"'),
    '.BR riskcli (1)',
  ]);
}

/** Code and tables look as `riskcli help` prints them. */
function blockLines(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [`.SH "${plain(block.text)}"`];
    case 'text':
      return ['.PP', plain(block.text)];
    case 'list':
      return block.items.flatMap((text) => ['.IP \\(bu 2', plain(text)]);
    default:
      return ['.PP', '.nf', ...renderPage([block], MAN_COLUMNS).trimEnd().split('\n').map(plain), '.fi'];
  }
}

/** The columns that man(1) leaves of 80, less a margin. */
const MAN_COLUMNS = 72;

function synopsis(command: Command, words: readonly string[]): string[] {
  if (!command.subcommands) return [usage(command, words)];
  return command.subcommands.flatMap((one, i) => [...(i === 0 ? [] : ['.br']), usage(one, [...words, one.name])]);
}

function usage({ args = [] }: Command, words: readonly string[]): string {
  return [`.B ${plain(words.join(' '))}`, plain(['[options]', ...args.map(argumentTerm)].join(' '))].join('\n');
}

function argumentItems({ args = [] }: Command): string[] {
  return args.flatMap((argument) => item(argumentTerm(argument), argument.help));
}

function subcommand(command: Command): string[] {
  return [
    subsection(command.name),
    ...paragraphs(command.description ?? `${command.summary}.`),
    ...argumentItems(command),
    ...optionItems(command.flags ?? []),
    ...(command.details ? paragraphs(command.details) : []),
    ...examples(command),
  ];
}

const groupOf = ({ group }: Flag) => group ?? 'Options';

function groupedOptions(flags: readonly Flag[], title: string): string[] {
  if (flags.length === 0) return [];
  const groups = new Set(flags.map(groupOf));
  const members = (name: string) => flags.filter((flag) => groupOf(flag) === name);
  return [title, ...[...groups].flatMap((name) => [subsection(name), ...optionItems(members(name))])];
}

function optionItems(flags: readonly Flag[]): string[] {
  return flags.flatMap((flag) => item(flagTerm(flag), flag.help));
}

const examples = ({ examples = [] }: Command): string[] => examples.flatMap(({ line, does }) => example(line, does));

function variables(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rows = VARIABLES.filter(({ name }) => names.includes(name));
  return [section('ENVIRONMENT'), ...rows.flatMap(({ name, help }) => item(name, help))];
}

function exits(codes: readonly number[]): string[] {
  const rows = EXITS.filter(({ code }) => codes.includes(code));
  return [section('"EXIT STATUS"'), ...rows.flatMap(({ code, meaning }) => item(String(code), meaning))];
}

/** `text` as one line of roff: nothing in it is read as a macro, an escape or a hyphen to break at. */
function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

const section = (heading: string): string => `.SH ${heading}`;
const subsection = (heading: string): string => `.SS "${plain(heading)}"`;

/** Paragraphs; one with an indented line keeps its lines. */
function paragraphs(text: string): string[] {
  return text.trim().split(/\n\n+/).flatMap(paragraph);
}

function paragraph(text: string, index: number): string[] {
  const lines = text.split('\n').map(plain);
  const body = /^ /m.test(text) ? ['.nf', ...lines, '.fi'] : lines;
  return index === 0 ? body : ['.PP', ...body];
}

/** A term in bold, and what it means. */
function item(term: string, meaning: string): string[] {
  return ['.TP', `.B ${plain(term)}`, ...(meaning === '' ? ['\\&'] : meaning.split('\n').map(plain))];
}

/** A line to type, under what it does. */
function example(line: string, does: string): string[] {
  return ['.PP', `${plain(does)}:`, '.PP', '.nf', `  ${plain(line)}`, '.fi'];
}
