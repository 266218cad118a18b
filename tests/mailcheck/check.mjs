// Reads mails, one in base64 a line, and says of each on a line what was read and what is wrong:
//   {"read": {...}, "html": ["rule: message"], "clients": {"feature": ["gmail.ios", ...]}}

import { createInterface } from 'node:readline';

import { caniemail } from 'caniemail';
import { HtmlValidate } from 'html-validate';
import PostalMime from 'postal-mime';

const CLIENTS = ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*'];

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    'no-inline-style': 'off', // clients that drop style sheets read nothing else
    'no-deprecated-attr': 'off', // Outlook lays out by bgcolor, width and cellpadding
    'long-title': 'off', // it counts &lt; as four
    'no-conditional-comment': 'off', // a table of its own width for Outlook
  },
});

async function read(mail) {
  const parsed = await PostalMime.parse(mail);
  return {
    subject: parsed.subject,
    from: parsed.from?.address,
    to: (parsed.to ?? []).map((one) => one.address),
    headers: parsed.headers.map((header) => header.key),
    text: parsed.text,
    html: parsed.html,
    attachments: parsed.attachments.length,
  };
}

async function mistakes(html) {
  const report = await validator.validateString(html);
  return report.results.flatMap((result) =>
    result.messages.map((one) => `${one.ruleId}: ${one.message} (line ${one.line})`),
  );
}

function unsupported(html) {
  const found = {};
  for (const [client, issues] of caniemail({ clients: CLIENTS, html }).issues.errors)
    for (const { title } of issues) (found[title] ??= new Set()).add(client);
  return Object.fromEntries(Object.entries(found).map(([title, all]) => [title, [...all].sort()]));
}

for await (const line of createInterface({ input: process.stdin })) {
  const mail = await read(Buffer.from(line, 'base64'));
  const said = { read: mail, html: await mistakes(mail.html), clients: unsupported(mail.html) };
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
