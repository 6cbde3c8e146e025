"""`/doctor`: what is wrong on a server or with the bot, and who can repair it."""
