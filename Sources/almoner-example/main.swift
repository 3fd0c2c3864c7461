import AlmonerClient
import Glibc

// Keeps an access token fresh, as a desktop program would: almoner-example [ACCOUNT]
do {
  let client = try AlmonerClient.connect()
  try TokenKeeper(client, account: CommandLine.arguments.dropFirst().first).run()
} catch {
  print(error)
  exit(1)
}
