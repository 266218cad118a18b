// Reads pages, one in base64 a line, and says of each on a line what is wrong with its HTML.

import { createInterface } from 'node:readline';

import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    'form-dup-name': 'off', // several of one name are one list
    'long-title': 'off', // a page is called what it shows, however long that is
    'no-implicit-button-type': 'off', // a button of a form sends it: a hundred words say nothing new
  },
});

for await (const line of createInterface({ input: process.stdin })) {
  const report = await validator.validateString(Buffer.from(line, 'base64').toString());
  const told = report.results.flatMap((result) => result.messages);
  const said = told.map((one) => `${one.ruleId}: ${one.message} (line ${one.line})`);
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
