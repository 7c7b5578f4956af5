// A division of one bit of quotient a cycle: `load` takes the operands, WIDTH + 1 cycles later `done`
// is high for one cycle and the quotient stands.
module divide_serial #(
    parameter WIDTH = 12,
    parameter DIVISOR = 8
) (
    input  wire               clk,
    input  wire               reset,
    input  wire               load,
    input  wire [  WIDTH-1:0] dividend,
    input  wire [DIVISOR-1:0] divisor,
    output wire               is_busy,
    output wire               done,
    output wire [  WIDTH-1:0] quotient
);
  localparam STATE = $clog2(WIDTH + 2);

  // Cycles left; the last of them shows the quotient.
  reg [STATE-1:0] left;
  reg [DIVISOR:0] rest;
  reg [DIVISOR-1:0] by;
  reg [WIDTH-1:0] work;
  wire [DIVISOR:0] rest_next;
  wire [WIDTH-1:0] work_next;
  assign is_busy = left != 0;
  assign done = left == 1;
  assign quotient = work;

  divide_steps #(
      .WIDTH(WIDTH),
      .DIVISOR(DIVISOR),
      .STEPS(1)
  ) step (
      .rest_in (rest),
      .work_in (work),
      .divisor (by),
      .rest_out(rest_next),
      .work_out(work_next)
  );

  localparam [STATE-1:0] CYCLES = WIDTH + 1;
  always @(posedge clk) begin
    if (load) begin
      rest <= {(DIVISOR + 1) {1'b0}};
      by   <= divisor;
      work <= dividend;
    end else begin
      rest <= rest_next;
      work <= work_next;
    end
    if (reset) left <= 0;
    else if (load) left <= CYCLES;
    else if (is_busy) left <= left - 1'b1;
  end
endmodule
