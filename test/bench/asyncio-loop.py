"""A list as one would write it with aiohttp: 128 workers, answers parsed, a row of CSV each. Arguments: base URL, list, output."""
import asyncio
import csv
import json
import os
import sys

import aiohttp


async def main(base, list_path, output_path):
    wallets = iter([line.strip() for line in open(list_path) if line.strip()])
    headers = {"X-API-Key": os.environ["RISKCLI_API_KEY"]}
    with open(output_path, "w", newline="") as output:
        rows = csv.writer(output)
        rows.writerow(["wallet", "collateral", "score"])
        async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=128)) as session:

            async def work():
                for wallet in wallets:
                    async with session.get(f"{base}/v1/risk-profile/{wallet}") as response:
                        answer = json.loads(await response.text())
                        rows.writerow([wallet, answer["total_collateral_usd"], answer["defi_score"]["defi_score"]])

            await asyncio.gather(*(work() for _ in range(128)))


asyncio.run(main(*sys.argv[1:]))
